#pragma once

#include <string>
#include <string_view>

namespace ridgeline::app {

// What a file with these first bytes seems to be: "an SQLite database", or text with its
// beginning. For messages only.
std::string DescribeForeign(std::string_view first_bytes);

}  // namespace ridgeline::app
