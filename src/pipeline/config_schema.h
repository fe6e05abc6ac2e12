#pragma once

#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// All errors of a composed configuration that can be found without running anything:
// unknown keys, values of the wrong type or out of range (config_keys.h), and
// inconsistent values. Empty: valid. Each error names the key, the expected and the
// actual value, and the file and line or override.
//
// Interpolations are checked by their value, so ${hydra:...} must be readable
// (config::UseHydraNode). Missing keys are allowed, because user presets may omit keys
// with a default. Below `user` and `pipeline.<stage>.output.extra.<other model>`
// everything is allowed.
std::vector<config::Error> CheckConfig(config::Workspace& workspace,
                                       config::Node& job_config);

}  // namespace ridgeline::pipeline
