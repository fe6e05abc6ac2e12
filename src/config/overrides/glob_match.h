#pragma once

#include <string_view>

namespace ridgeline::config {

// Python's fnmatch.fnmatchcase: '*', '?', '[a-z]', '[!a]' over whole characters.
// A '[' that is never closed stands for itself.
bool GlobMatches(std::string_view text, std::string_view pattern);

}  // namespace ridgeline::config
