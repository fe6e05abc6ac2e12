#pragma once

#include <vector>

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Writes a checked and merged document out as a tree; what an alias names is
// copied. `scalars` holds, by node, the values of scalars that are not strings.
// Fails when that tree has no end or is too large.
Result<Value> BuildValue(YamlDocument& document, std::vector<Scalar> scalars,
                         const SourceName& source);

}  // namespace ridgeline::config
