#pragma once

#include <string_view>

namespace ridgeline {

// "0.1.0", as declared in CMakeLists.txt.
std::string_view Version();

}  // namespace ridgeline
