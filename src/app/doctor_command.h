#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline doctor`: what works here, what does not, and what to do about it.
// kRefused if a check failed.
ExitStatus DoctorCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
