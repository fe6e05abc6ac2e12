#pragma once

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Merges `source` into `target`: dicts key by key, lists and scalars replace,
// "???" never overwrites. Errors are located.
Status MergeNode(Workspace& workspace, Node& target, Node& source);

// The same with plain data (a dict or list).
Status MergeValue(Workspace& workspace, Node& target, const Value& source);

}  // namespace ridgeline::config
