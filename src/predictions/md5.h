#pragma once

#include <string>
#include <string_view>

namespace ridgeline::predictions {

// 32 hexadecimal digits. It names pages that nobody forged; it protects nothing.
std::string Md5(std::string_view bytes);

}  // namespace ridgeline::predictions
