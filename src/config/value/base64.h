#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// Like Python's base64.decodebytes: skips characters outside the alphabet and ignores
// everything after the padding. Empty if the padding is wrong.
std::optional<std::string> Base64Decode(std::string_view text);

// Like Python's base64.encodebytes: lines of 76 characters, each terminated by a newline.
std::string Base64EncodeLines(std::string_view data);

}  // namespace ridgeline::config
