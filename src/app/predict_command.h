#pragma once

#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/streams.h"

namespace ridgeline::app {

// `ridgeline predict --on DEVICE`: how long a page takes there, at least.
ExitStatus PredictCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
