// Words of others within Markdown of ours.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::predictions {

// A name that shows as it is, in one line: nothing in it is markup, a link or HTML.
std::string EscapeMarkdown(std::string_view name);

// A block that shows the text as it is. Its fence is longer than any that the text holds,
// so the block ends where the text does. Ends with a newline.
std::string FencedBlock(std::string_view text);

}  // namespace ridgeline::predictions
