// The runners of the project that this one supersedes. Each is this program under
// another name, and means `ridgeline run` with some stages on and others off.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::app {

// The arguments of `ridgeline run` that mean the same as `program` with `arguments`;
// nothing if `program` is not one of the old names. What the user says comes last, and
// therefore wins.
std::optional<std::vector<std::string>> ArgumentsOfOldRunner(
    std::string_view program, std::span<const std::string> arguments);

}  // namespace ridgeline::app
