#pragma once

#include <vector>

#include "config/compose/default_element.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The values that interpolations in a defaults list can refer to: the options chosen so
// far, by override key, and the list itself as `defaults`.
Result<Node*> MakeInterpolationMap(Workspace& workspace, const Choices& choices,
                                   const std::vector<InputDefault>& defaults);

// Resolves "${server}_db" to "apache_db".
Status ResolveDefault(Workspace& workspace, Node& map, InputDefault& entry);

}  // namespace ridgeline::config
