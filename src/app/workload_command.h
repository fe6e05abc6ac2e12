#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline workload`: only the work, without anybody who watches; what nsys and ncu
// start when a built-in model is observed.
ExitStatus WorkloadCommand(std::span<const std::string> arguments,
                           const Streams& streams);

}  // namespace ridgeline::app
