#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline nvtx-list -- CMD...`: the NVTX ranges that a program opens, and whether
// Nsight Systems would find the one that is asked for.
ExitStatus NvtxListCommand(std::span<const std::string> arguments,
                           const Streams& streams);

}  // namespace ridgeline::app
