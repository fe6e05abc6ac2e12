#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// ridgeline ncu-kernels (--kernel-config YAML | --kernel-regex RE) [flags] -- CMD...:
// each of these kernels under Nsight Compute, in a directory of its own.
ExitStatus NcuKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams);

}  // namespace ridgeline::app
