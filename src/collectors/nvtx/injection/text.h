// Text that a program hands to NVTX may be anything; JSON is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgeline::nvtx_injection {

// A label is not a document: what is longer is cut, and that is counted.
inline constexpr size_t kLongestLabel = 1024;

// Of at most `limit` wide characters; what is no character becomes U+FFFD.
std::string Utf8(const wchar_t* text, size_t limit);

// Adds the text in quotes. Bytes that are no UTF-8 become U+FFFD.
void AppendQuoted(std::string& json, std::string_view text);

}  // namespace ridgeline::nvtx_injection
