#pragma once

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The tree as plain data, interpolations as they are written.
Value ToValue(const Node& node);

// The same with every interpolation replaced by what it stands for.
Result<Value> ToResolvedValue(Workspace& workspace, Node& node);

// Replaces every interpolation below `node` in place, in order, as
// OmegaConf.resolve does: a later one sees what became of an earlier one.
Status ResolveInPlace(Workspace& workspace, Node& node);

}  // namespace ridgeline::config
