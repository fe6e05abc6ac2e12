// Trees of any date mean what ours means: earlier keys are read as their present names,
// and keys that a tree leaves out have their defaults.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/config_keys.h"

namespace ridgeline::pipeline {

// Sets every key that `root` leaves out to ConfigKey::otherwise. Trees that configure
// something else (no `dataset`, no `pipeline`) stay as they are.
config::Status FillDefaults(config::Workspace& workspace, config::Node& root,
                            std::span<const KeyGroup> groups);

// Files whose values count less than an earlier key elsewhere.
struct TreeFiles {
  std::string primary;  // Its presets only preselect values.
  std::string own;      // Directory of the tree that comes with the program.
};

// Gives each earlier key of the tree's files and of mappings on the command line its
// present name; the old key then refers to the new one. The present name wins if both
// are set. Adds a line for each to `notes`.
config::Status AdoptLegacyKeys(config::Workspace& workspace, config::Node& root,
                               std::span<const KeyGroup> groups, const TreeFiles& files,
                               std::vector<std::string>& notes);

// Null: no group has the key; mappings around keys do not count.
const ConfigKey* FindKey(std::span<const KeyGroup> groups, std::string_view path);

}  // namespace ridgeline::pipeline
