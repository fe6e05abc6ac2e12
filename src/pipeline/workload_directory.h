#pragma once

#include <filesystem>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// Where the workload runs, and where relative paths of the configuration begin:
// pipeline.workload.cwd, or else where a job of Hydra runs. Empty when neither is known.
config::Result<std::filesystem::path> WorkloadDirectory(config::Workspace& workspace,
                                                        config::Node& root);

}  // namespace ridgeline::pipeline
