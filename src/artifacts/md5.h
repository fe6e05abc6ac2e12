#pragma once

#include <string>
#include <string_view>

namespace ridgeline::artifacts {

// 32 hexadecimal digits. It names what nobody forged; it protects nothing.
std::string Md5(std::string_view bytes);

}  // namespace ridgeline::artifacts
