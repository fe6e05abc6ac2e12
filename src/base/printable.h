// Makes foreign text safe for terminals and Markdown: names of kernels, files and ranges
// can contain escape sequences that move the cursor or rename the window.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

// Escapes control characters (C0 except newline and tab, DEL, C1) and bytes that are not
// UTF-8 as "\x1b". Everything else is unchanged.
std::string Printable(std::string_view text);

// The number of bytes at the end of `text` that begin an incomplete UTF-8 character: the
// rest may come with the next piece of a stream.
size_t UnfinishedUtf8(std::string_view text);

}  // namespace ridgeline
