// Group choices made by the command line and by `override` entries, and the options
// chosen so far.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/compose/config_repository.h"
#include "config/compose/default_element.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"
#include "config/overrides/override.h"
#include "config/value/value.h"

namespace ridgeline::config {

class DefaultOverrides {
 public:
  // Sorts command-line overrides into option choices, deletions, appended groups and
  // value overrides. Sweeps are skipped.
  static Result<DefaultOverrides> Create(ConfigRepository& repository,
                                         const std::vector<Override>& overrides);

  // Groups of "+db=mysql".
  const std::vector<InputDefault>& appended() const { return appended_; }
  // Overrides that do not choose an option.
  std::vector<Override>& config_overrides() { return config_overrides_; }

  // An `override` entry of the config `parent`. The first override of a group wins.
  void Add(const std::string& parent, const InputDefault& entry);
  // Replaces the option of an overridden group.
  void Apply(InputDefault& entry);

  bool IsDeleted(const InputDefault& entry) const;
  void Delete(InputDefault& entry);

  // Records the option chosen for a group; fails if a different one was chosen before.
  Status SetChoice(const InputDefault& entry);
  Choices choices() const;

  // Fail if the user named a group that is not in the defaults list.
  Status CheckOverridesUsed() const;
  Status CheckDeletionsUsed() const;

 private:
  struct OverriddenOption {
    Value option;
    std::optional<std::string> config;  // In this config; empty: command line.
    bool used = false;
  };
  struct Deletion {
    std::optional<std::string> name;  // Empty: any option.
    bool used = false;
  };

  Status AddFromCommandLine(const Override& override);
  Status AddDeletion(const Override& override, const Value& value);

  // By override key.
  OrderedMap<OverriddenOption> options_;
  OrderedMap<Deletion> deletions_;
  OrderedMap<std::optional<std::string>> choices_;
  std::map<std::string, std::set<std::string>> keys_by_group_;
  std::vector<InputDefault> appended_;
  std::vector<Override> config_overrides_;
};

}  // namespace ridgeline::config
