#pragma once

#include <string>
#include <string_view>

namespace ridgeline::stages {

// A label of an NVTX range as part of a file's name: letters, digits and "-", everything
// else is "_". Never empty.
std::string AsFileName(std::string_view label);

}  // namespace ridgeline::stages
