#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::config {

// As Python's base64.decodebytes: characters outside the alphabet are skipped,
// whatever follows the padding is ignored. Empty when the padding is wrong.
std::optional<std::string> Base64Decode(std::string_view text);

// As Python's base64.encodebytes: lines of 76 characters, each with its newline.
std::string Base64EncodeLines(std::string_view data);

}  // namespace ridgeline::config
