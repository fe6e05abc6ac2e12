#pragma once

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The tree as plain data, with interpolations as written.
Value ToValue(const Node& node);

// The same with every interpolation resolved.
Result<Value> ToResolvedValue(Workspace& workspace, Node& node);

// Resolves every interpolation below `node` in place, in order, like OmegaConf.resolve:
// later ones see the results of earlier ones.
Status ResolveInPlace(Workspace& workspace, Node& node);

}  // namespace ridgeline::config
