// Which plain scalars are numbers in YAML 1.1 and in OmegaConf's extension.
#pragma once

#include <string_view>

namespace ridgeline::config {

// 12, -1_000, 0b101, 017, 0xFF, 1:20 (base 60). Not 0o17, not 08.
bool IsYamlInt(std::string_view text);

// 1.5, 1., .5, 1.0e+3, -.inf, .nan, 1:20.5. An exponent requires a sign and a preceding
// point; -.5 is a string.
bool IsYamlFloat(std::string_view text);

// OmegaConf's additions: 1e3, 1.0e3, 1_000e-3.
bool IsOmegaConfFloat(std::string_view text);

}  // namespace ridgeline::config
