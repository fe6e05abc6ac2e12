#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// The same document with its comments cut down to '#'. Well commented files are
// mostly comments, and libyaml looks at every character of them several times.
// Lines, and columns of everything that is not a comment, stay what they were.
// Empty when there is nothing to gain, or when some line might belong to a scalar
// of several lines, in which a '#' can be part of the text.
std::optional<std::string> WithoutCommentText(std::string_view text);

}  // namespace ridgeline::config
