#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline model create|inspect`: checkpoints, without running them.
ExitStatus ModelCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
