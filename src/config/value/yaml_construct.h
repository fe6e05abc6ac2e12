#pragma once

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Converts a document to a value: checks keys, merges `<<`, copies aliased nodes. Errors
// come in PyYAML's order.
Result<Value> ConstructYaml(YamlDocument document, const SourceName& source);

}  // namespace ridgeline::config
