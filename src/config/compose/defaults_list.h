// Which configs are composed, in which order and at which package: Hydra's defaults list,
// computed from the primary config and the command line.
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

// An entry and the entries of the config it names; no children if that config has no
// defaults list or was not expanded.
struct DefaultsTreeNode {
  InputDefault element;
  DefaultsTreeNode* parent = nullptr;  // Null: the root.
  std::vector<std::unique_ptr<DefaultsTreeNode>> children;
};

// The chosen option by override key ("db@store" -> "mysql"), in the order in which they
// were chosen; empty for null.
using Choices = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct DefaultsList {
  std::vector<ResultDefault> defaults;     // In merge order.
  std::unique_ptr<DefaultsTreeNode> tree;  // Printed by `--info defaults-tree`.
  std::vector<Override> config_overrides;  // Overrides that do not choose an option.
  Choices choices;
};

// How to treat a group whose option is still "???".
enum class MissingOptions { kRefuse, kSkip };

// Without a config name only Hydra's own configs are composed. Warnings go to
// the repository's workspace.
Result<DefaultsList> CreateDefaultsList(ConfigRepository& repository,
                                        const std::optional<std::string>& config_name,
                                        const std::vector<Override>& overrides,
                                        MissingOptions missing_options);

}  // namespace ridgeline::config
