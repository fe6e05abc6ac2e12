#pragma once

#include <string>
#include <string_view>

namespace ridgeline::stages {

// The label of an NVTX range as part of a file name: letters, digits and "-"; everything
// else becomes "_". Never empty.
std::string AsFileName(std::string_view label);

}  // namespace ridgeline::stages
