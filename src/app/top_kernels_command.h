#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline top-kernels FILE`: the kernels that took most of the time, as a list for
// Nsight Compute.
ExitStatus TopKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

}  // namespace ridgeline::app
