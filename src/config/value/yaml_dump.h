#pragma once

#include <string>

#include "config/value/value.h"

namespace ridgeline::config {

// The text that OmegaConf.to_yaml gives for plain data, byte for byte: block
// style, lines folded at 80, strings quoted where YAML or Python would read
// something else. LoadYaml gives the value back, except what no YAML file holds
// (Opaque, written as its text).
std::string DumpYaml(const Value& value);

}  // namespace ridgeline::config
