#pragma once

#include "artifacts/provenance.h"
#include "base/version.h"

namespace ridgeline::app {

// The libtorch that the built-in models were built with, if they were.
artifacts::LibraryVersion LibtorchVersion();

}  // namespace ridgeline::app
