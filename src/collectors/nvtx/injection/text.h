// Text that programs pass to NVTX may contain anything; JSON is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgeline::nvtx_injection {

// Longer labels are truncated and counted.
inline constexpr size_t kMaxLabel = 1024;

// Converts at most `limit` wide characters; invalid ones become U+FFFD.
std::string Utf8(const wchar_t* text, size_t limit);

// Appends the text in quotes. Invalid UTF-8 becomes U+FFFD.
void AppendQuoted(std::string& json, std::string_view text);

}  // namespace ridgeline::nvtx_injection
