#pragma once

#include <vector>

#include "config/compose/config_repository.h"
#include "config/compose/default_overrides.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"

namespace ridgeline::config {

// Recursively expands the entries of a tree: an entry that names a config gets that
// config's entries as children.
//
// Entries are visited from last to first, so that the `override` of a later config is
// known before an earlier config is reached.
class DefaultsTreeBuilder {
 public:
  // Both must outlive the builder.
  DefaultsTreeBuilder(ConfigRepository& repository, DefaultOverrides& overrides,
                      MissingOptions missing_options);

  // `root` is virtual; its children exist but are not expanded yet.
  Status Build(DefaultsTreeNode& root);

 private:
  struct Visit {
    bool is_primary = false;
    bool in_interpolated = false;  // Below an entry such as "db: ${server}_db".
    int depth = 0;

    Visit Child() const { return {false, in_interpolated, depth + 1}; }
  };
  // The entries of one config.
  struct OwnList {
    std::vector<InputDefault> entries;
    bool has_self = true;  // False: _self_ is only implied.
  };
  // Whether an entry needs further processing.
  enum class Step { kDone, kGoOn };

  Status Expand(DefaultsTreeNode& node, const Visit& visit);
  Result<Step> Prepare(DefaultsTreeNode& node, const Visit& visit);
  Result<Step> CheckNotMissing(const InputDefault& entry) const;
  Status UpdatePackageHeader(InputDefault& entry);
  Result<OwnList> ListOf(const LoadedConfig& loaded, const InputDefault& entry,
                         const Visit& visit);
  Status UpdateOverrides(std::vector<InputDefault>& defaults, const InputDefault& parent,
                         const Visit& visit);
  Status AddChild(DefaultsTreeNode& node, InputDefault entry, const Visit& visit);
  Status AddOptions(DefaultsTreeNode& node, const InputDefault& entry,
                    const Visit& visit);
  Status AddChildren(DefaultsTreeNode& node, std::vector<InputDefault>& defaults,
                     const Visit& visit);
  Status ExpandInterpolated(DefaultsTreeNode& node, const OwnList& list,
                            const Visit& visit);
  Status CheckSize(const DefaultsTreeNode& node, const Visit& visit);

  ConfigRepository& repository_;
  DefaultOverrides& overrides_;
  MissingOptions missing_options_;
  int nodes_ = 0;
};

}  // namespace ridgeline::config
