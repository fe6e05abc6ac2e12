#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::artifacts {

// 64 hexadecimal digits, as sha256sum prints them.
std::string Sha256(std::string_view bytes);

// Reads the file in pieces, whatever its size.
Result<std::string> Sha256OfFile(const std::filesystem::path& path);

}  // namespace ridgeline::artifacts
