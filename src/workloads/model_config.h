#pragma once

#include <map>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "config/value/value.h"

namespace ridgeline::workloads {

// The configuration read by the process of a built-in model: complete, with the changes
// of BuiltinModel::Changes(), and resolved except for ${oc.env:NAME} of variables that
// are set. Their values may be secrets, so they are not written to the file; the process,
// which has `environment` in addition to ours, resolves them itself. Input paths are
// absolute, because the process may run in another directory (pipeline.workload.cwd).
config::Result<config::Value> ModelConfig(
    config::Workspace& workspace, config::Node& root,
    const std::map<std::string, std::string>& environment);

}  // namespace ridgeline::workloads
