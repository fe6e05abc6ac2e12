#pragma once

#include <string>
#include <string_view>

namespace ridgeline::profiles {

// U+FEFF, with which some programs begin their files.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsUtf8(std::string_view text);

// Bytes that belong to no character become U+FFFD each.
std::string ReplaceBrokenUtf8(std::string_view text);

}  // namespace ridgeline::profiles
