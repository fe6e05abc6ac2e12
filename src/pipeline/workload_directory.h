#pragma once

#include <filesystem>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// The base of relative paths in the configuration: the user's directory (Hydra's original
// working directory), whatever the workload's own directory is. Empty if the
// configuration was not composed for a job.
std::filesystem::path ConfigDirectory(config::Workspace& workspace);

// The workload's working directory: pipeline.workload.cwd, or else that of a Hydra job.
// Empty if neither is known.
config::Result<std::filesystem::path> WorkloadDirectory(config::Workspace& workspace,
                                                        config::Node& root);

}  // namespace ridgeline::pipeline
