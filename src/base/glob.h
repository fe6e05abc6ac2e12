#pragma once

#include <string_view>

namespace ridgeline {

// Python's fnmatch.fnmatchcase, which is what shells do with one name:
//
//   *       any characters
//   ?       one character; a character of UTF-8 counts as one
//   [a-z]   one of these, [!a-z] one of all others; []] and [-a] mean what they look like
//
// A '[' that is never closed stands for itself. There are no escapes: [*] is a star. Each
// byte of invalid UTF-8 counts as one character, so that every text can be matched. Takes
// at most the time of the product of the sizes.
bool GlobMatches(std::string_view text, std::string_view pattern);

}  // namespace ridgeline
