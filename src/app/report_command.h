#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline report RUN`: makes the reports of a run again, from what its stages left.
ExitStatus ReportCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
