#pragma once

#include <string>

namespace ridgeline::app {

// "0.4 s", "12.3 s", "4 min 05 s", "2 h 03 min".
std::string DurationText(double seconds);

}  // namespace ridgeline::app
