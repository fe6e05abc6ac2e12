#pragma once

#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// Everything that is wrong with a composed configuration and can be seen without
// running anything, all at once: keys we do not know, values of the wrong type or
// out of range (config_keys.h), and values that do not go together. Empty: it is
// fine. Each error names the key, what was expected, what was found and the file
// and line or override it came from.
//
// Interpolations are checked on what they stand for, so ${hydra:...} must be readable
// (config::UseHydraNode). A key that is not there is
// fine, because presets of users may leave out what has a default. Below `user` and
// `pipeline.<stage>.output.extra.<other model>` everything is allowed.
std::vector<config::Error> CheckConfig(config::Workspace& workspace,
                                       config::Node& job_config);

}  // namespace ridgeline::pipeline
