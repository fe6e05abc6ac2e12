#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/error.h"

namespace ridgeline::config {

// The package that a config file requests in its first lines:
//   # @package _global_.model
// Empty if there is no such line.
Result<std::optional<std::string>> ParsePackageHeader(std::string_view text);

}  // namespace ridgeline::config
