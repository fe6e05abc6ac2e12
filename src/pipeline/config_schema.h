#pragma once

#include <span>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/config_keys.h"

namespace ridgeline::pipeline {

// How to treat keys in files that no group has; on the command line they are errors.
enum class UnknownKeys { kRefuse, kWarnInFiles };

// All errors of a composed configuration that can be found without running anything:
// unknown keys, values of the wrong type or out of range, and inconsistent values. Empty:
// valid. Each error names the key, the expected and the actual value, and the file and
// line or override. If several keys match, the first one applies.
//
// Interpolations are checked by their value, so ${hydra:...} must be readable
// (config::UseHydraNode). Missing keys are allowed: FillDefaults sets those with a
// default. Earlier keys that refer to their new name, and `description` anywhere, are
// allowed. Warnings are added to the workspace.
std::vector<config::Error> CheckConfig(config::Workspace& workspace,
                                       config::Node& job_config,
                                       std::span<const KeyGroup> groups,
                                       UnknownKeys unknown = UnknownKeys::kRefuse);

}  // namespace ridgeline::pipeline
