// Patterns for names of files, as shells have them.
//
//   *       any characters, not '/'
//   ?       one character, not '/'; a character of UTF-8 counts as one
//   [a-z]   one of these, [!a-z] one of all others; []] and [-a] mean what they look like
//   **      as a whole part of the path: any number of directories, also none
//
// Capital letters differ from small ones. A '[' without its ']' stands for itself. What
// begins with a dot is found only by a part that begins with one: archives from other
// systems are full of "._page.png". There are no braces and no escapes: [*] is a star.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::datasets {

// For one part of a path: no '/' in either, and "**" is as "*".
bool MatchesPattern(std::string_view pattern, std::string_view name);

// The regular files below `root` that match, as paths from there ("images/a.png"), in no
// order, some maybe twice. Links are followed, but not into a directory that we are in.
// A part without wildcards may be ".."; a pattern that is empty or absolute is an error.
Result<std::vector<std::string>> FilesMatching(const std::filesystem::path& root,
                                               std::string_view pattern);

}  // namespace ridgeline::datasets
