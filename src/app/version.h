#pragma once

#include <string_view>

#include "artifacts/provenance.h"

namespace ridgeline::app {

// "0.1.0", as CMakeLists.txt declares it.
std::string_view Version();

// The libtorch that the built-in models were built with, if they were.
artifacts::LibraryVersion LibtorchVersion();

}  // namespace ridgeline::app
