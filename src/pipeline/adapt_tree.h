// Makes older configuration trees equivalent to ours: earlier keys are read under their
// current names, and missing keys get their defaults.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/config_keys.h"

namespace ridgeline::pipeline {

// Sets every key missing in `root` to ConfigKey::otherwise. Trees for something else (no
// `dataset`, no `pipeline`) are unchanged.
config::Status FillDefaults(config::Workspace& workspace, config::Node& root,
                            std::span<const KeyGroup> groups);

// Files whose values have lower precedence than an earlier key elsewhere.
struct TreeFiles {
  std::string primary;  // Its presets only preselect values.
  std::string own;      // Directory of the tree shipped with the program.
};

// Gives each earlier key in the tree's files and in mappings on the command line its
// current name; the old key then refers to the new one. If both are set, the current name
// wins. Adds a line for each to `notes`, unless they have one for this key already.
config::Status AdoptLegacyKeys(config::Workspace& workspace, config::Node& root,
                               std::span<const KeyGroup> groups, const TreeFiles& files,
                               std::vector<std::string>& notes);

// Makes artifacts.runs_dir another name of hydra.run.dir, whichever of them a file or the
// command line sets. Two that differ stay as they are.
config::Status UniteRunDirectories(config::Workspace& workspace, config::Node& root);

// The trees of llm-perf-opt name a link to the dataset,
// datasets/omnidocbench/source-data. Where it is missing and the directory above has
// images/, that is dataset.root; adds a line to `notes`. Relative
// paths begin in `here`.
config::Status ReplaceMissingLink(config::Workspace& workspace, config::Node& root,
                                  const std::filesystem::path& here,
                                  std::vector<std::string>& notes);

// A number of pages (null: all), passes or tokens on the command line holds under nsys
// and ncu as well: a lower limit in a file (pipeline.<stage>.limits) yields to it. Adds a
// line for each limit lifted in a stage that is on.
config::Status LiftCaptureLimits(config::Workspace& workspace, config::Node& root,
                                 std::vector<std::string>& notes);

// Null: no group has the key; enclosing mappings do not count.
const ConfigKey* FindKey(std::span<const KeyGroup> groups, std::string_view path);

// Whether `path` is an enclosing mapping of keys.
bool HasKeysBelow(std::span<const KeyGroup> groups, std::string_view path);

}  // namespace ridgeline::pipeline
