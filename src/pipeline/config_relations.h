#pragma once

#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::pipeline {

// Values that are each allowed but do not go together, such as a capture gated by
// an NVTX range without its name. Every value must have its type.
std::vector<config::Error> CheckRelations(config::Workspace& workspace,
                                          config::Node& job_config);

}  // namespace ridgeline::pipeline
