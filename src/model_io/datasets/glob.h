// File name patterns as in shells.
//
//   *       any characters except '/'
//   ?       one character except '/'; a UTF-8 character counts as one
//   [a-z]   one of these, [!a-z] any other; []] and [-a] work as expected
//   **      as a whole path component: any number of directories, including none
//
// Case-sensitive. A '[' without a ']' is literal. Names that begin with a dot only match
// components that begin with one: archives from other systems are full of "._page.png".
// No braces and no escapes: use [*] for a star.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::datasets {

// For one path component: neither contains '/', and "**" is equivalent to "*".
bool MatchesPattern(std::string_view pattern, std::string_view name);

// Matching regular files and broken symbolic links below `root` as relative paths
// ("images/a.png"), in no particular order, possibly with duplicates. Symbolic links are
// followed, except into an enclosing directory. A component without wildcards may be
// ".."; empty or absolute patterns are errors.
Result<std::vector<std::string>> FilesMatching(const std::filesystem::path& root,
                                               std::string_view pattern);

}  // namespace ridgeline::datasets
