#pragma once

#include <string>
#include <vector>

#include "config/compose/composer.h"

namespace ridgeline::app {

// Adapts overrides of groups, written for earlier trees, to the tree of `request`:
//   dataset/sampling@dataset.sampling=default   the package is the default: omitted
//   the same, in a tree without that group      added from `own_conf`
// All others are passed to Hydra unchanged. Adds a line for each change to `notes`.
void AdaptGroupOverrides(const std::string& own_conf, config::ComposeRequest& request,
                         std::vector<std::string>& notes);

// Options that only the program's own tree has, such as hydra/launcher=slurm and
// workload/python=vllm: adds that tree to the search path.
void AddOwnGroups(const std::string& own_conf, config::ComposeRequest& request,
                  std::vector<std::string>& notes);

// Trees of llm-perf-opt of October 2025 mount the presets of nsys and ncu only in
// runner/stage2.yaml. If one of these stages is enabled, adds them:
//   +profiling/nsys@nsys=nsys.default
void AddPresetsOfStage2(config::ComposeRequest& request, std::vector<std::string>& notes);

}  // namespace ridgeline::app
