#pragma once

#include <memory>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/workload.h"

namespace ridgeline::workloads {

// What pipeline.workload asks for: `command` if it is not empty, else the built-in model.
config::Result<std::unique_ptr<pipeline::Workload>> MakeWorkload(
    config::Workspace& workspace, config::Node& root);

}  // namespace ridgeline::workloads
