#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// ridgeline config compose|parse-override ...: the configuration library as a tool.
ExitStatus ConfigCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
