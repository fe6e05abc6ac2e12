#pragma once

#include <string>
#include <string_view>

#include "config/error.h"
#include "config/value/value.h"

namespace ridgeline::config {

// Loads one YAML document as OmegaConf 2.3 does with PyYAML 6.0: YAML 1.1 without
// timestamps, with 1e3 as a float, duplicate string keys rejected, aliases expanded.
// Empty text is null. Every value has the line and column where it starts;
// `source_name` is for messages.
//
// The text is UTF-8, with or without a byte order mark. Nesting is limited to 256
// levels and aliases to a million values (ErrorKind::kLimit).
Result<Value> LoadYaml(std::string_view text, const std::string& source_name);

}  // namespace ridgeline::config
