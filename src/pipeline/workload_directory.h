#pragma once

#include <filesystem>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// Where relative paths of the configuration begin: where the user is (Hydra's original
// working directory), whatever the workload's own directory is. Empty if the
// configuration was not composed for a job.
std::filesystem::path ConfigDirectory(config::Workspace& workspace);

// Where the workload runs: pipeline.workload.cwd, or else where a job of Hydra runs.
// Empty when neither is known.
config::Result<std::filesystem::path> WorkloadDirectory(config::Workspace& workspace,
                                                        config::Node& root);

}  // namespace ridgeline::pipeline
