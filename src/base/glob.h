#pragma once

#include <string_view>

namespace ridgeline {

// Python's fnmatch.fnmatchcase, like a shell's match of a single name:
//
//   *       any characters
//   ?       one character; a UTF-8 character counts as one
//   [a-z]   one of these, [!a-z] any other; []] and [-a] mean what they look like
//
// An unclosed '[' is literal. There are no escapes: [*] is a star. Each byte of invalid
// UTF-8 counts as one character, so that every text can be matched. Run time is at most
// the product of the lengths.
bool GlobMatches(std::string_view text, std::string_view pattern);

}  // namespace ridgeline
