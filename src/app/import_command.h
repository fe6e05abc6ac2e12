#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline import FILE...`: what profiles that others made hold.
ExitStatus ImportCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
