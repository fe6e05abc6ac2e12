// Which configs are composed, in which order and at which package: Hydra's
// defaults list, worked out from the primary config and the command line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/compose/config_repository.h"
#include "config/compose/default_element.h"
#include "config/error.h"
#include "config/overrides/override.h"

namespace ridgeline::config {

// An entry and the entries of the config that it names; none if that has no
// defaults list, or was not looked into.
struct DefaultsTreeNode {
  InputDefault element;
  DefaultsTreeNode* parent = nullptr;  // Null: the root.
  std::vector<std::unique_ptr<DefaultsTreeNode>> children;
};

// The chosen option by override key ("db@store" -> "mysql"), in the order in
// which the choices were made; empty for null.
using Choices = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct DefaultsList {
  std::vector<ResultDefault> defaults;     // In the order of merging.
  std::unique_ptr<DefaultsTreeNode> tree;  // What `--info defaults-tree` shows.
  std::vector<Override> config_overrides;  // Those that do not choose an option.
  Choices choices;
};

// What to do about a group whose option is still "???".
enum class MissingOptions { kRefuse, kSkip };

// Without a config name only Hydra's own configs are composed. Warnings go to
// the repository's workspace.
Result<DefaultsList> CreateDefaultsList(ConfigRepository& repository,
                                        const std::optional<std::string>& config_name,
                                        const std::vector<Override>& overrides,
                                        MissingOptions missing_options);

}  // namespace ridgeline::config
