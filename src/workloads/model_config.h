#pragma once

#include <map>
#include <string>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "config/value/value.h"

namespace ridgeline::workloads {

// The configuration that the process of a built-in model reads: complete, with the
// differences of BuiltinModel::Changes(), and resolved except for ${oc.env:NAME} of
// variables that are set. Their values may be secrets, so they stay out of the file;
// the process, which has `environment` in addition to ours, reads them itself. Paths to
// read are absolute: the process may run elsewhere (pipeline.workload.cwd).
config::Result<config::Value> ModelConfig(
    config::Workspace& workspace, config::Node& root,
    const std::map<std::string, std::string>& environment);

}  // namespace ridgeline::workloads
