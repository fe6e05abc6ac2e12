// Text of others on its way to a terminal or into Markdown: names of kernels, files and
// ranges can contain escape sequences that move the cursor or rename the window.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

// Control characters (C0 except newline and tab, DEL, C1) as "\x1b"; so are bytes that
// are not UTF-8. Everything else stays as it is.
std::string Printable(std::string_view text);

// How many bytes at the end of `text` begin a character of UTF-8 and do not end it: the
// rest may come with the next piece of a stream.
size_t UnfinishedUtf8(std::string_view text);

}  // namespace ridgeline
