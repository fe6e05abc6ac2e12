#pragma once

#include "config/value/yaml_node.h"

namespace ridgeline::config {

// Makes a value of a document: checks keys, merges `<<`, copies what aliases
// name. Errors come in the order in which PyYAML meets them.
Result<Value> ConstructYaml(YamlDocument document, const SourceName& source);

}  // namespace ridgeline::config
