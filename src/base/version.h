#pragma once

#include <string_view>

namespace ridgeline {

// "0.1.0", as CMakeLists.txt declares it.
std::string_view Version();

}  // namespace ridgeline
