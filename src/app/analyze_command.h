// `ridgeline analyze`: classes, rooflines and tables of what ncu measured.
#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

ExitStatus AnalyzeCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
