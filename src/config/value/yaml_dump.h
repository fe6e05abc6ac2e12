#pragma once

#include <string>

#include "config/value/value.h"

namespace ridgeline::config {

// The output of OmegaConf.to_yaml for plain data, byte for byte: block style, lines
// folded at 80, strings quoted where YAML or Python would read them differently. LoadYaml
// restores the value, except for types that YAML files cannot contain (Opaque, written as
// its text).
std::string DumpYaml(const Value& value);

}  // namespace ridgeline::config
