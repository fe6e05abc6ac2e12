#pragma once

#include "artifacts/provenance.h"
#include "base/version.h"

namespace ridgeline::app {

// The libtorch version of the built-in models, if they are part of the build.
artifacts::LibraryVersion LibtorchVersion();

}  // namespace ridgeline::app
