#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// ridgeline serve: becomes ridgeline-serve (src/serve).
ExitStatus ServeCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
