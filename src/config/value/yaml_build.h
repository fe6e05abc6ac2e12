#pragma once

#include <vector>

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Builds the value tree of a checked and merged document; aliased nodes are copied.
// `scalars` has, by node, the values of scalars that are not strings. Fails if the tree
// is infinite or too large.
Result<Value> BuildValue(YamlDocument& document, std::vector<Scalar> scalars,
                         const SourceName& source);

}  // namespace ridgeline::config
