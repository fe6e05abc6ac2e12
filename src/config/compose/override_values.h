#pragma once

#include <vector>

#include "config/error.h"
#include "config/overrides/override.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// Applies the value overrides (not group choices), in order.
Status ApplyOverrides(Workspace& workspace, Node& root,
                      const std::vector<Override>& overrides);

}  // namespace ridgeline::config
