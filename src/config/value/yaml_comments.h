#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// The same document with its comments cut down to '#'. Well-commented files are mostly
// comments, and libyaml looks at every character several times. Line numbers, and columns
// of everything but comments, are unchanged. Empty if there is nothing to gain, or if
// some line might belong to a multi-line scalar, in which '#' can be text.
std::optional<std::string> WithoutCommentText(std::string_view text);

}  // namespace ridgeline::config
