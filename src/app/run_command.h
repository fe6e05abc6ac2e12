#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"
#include "app/streams.h"

namespace ridgeline::app {

// For Hydra's flags that print something instead of running (--help, --cfg, --info, ...);
// nothing: the options ask for a run.
std::optional<ExitStatus> ShowInsteadOfRunning(const HydraOptions& options,
                                               const Streams& streams);

// ridgeline run [hydra flags] [overrides]
ExitStatus RunCommand(std::span<const std::string> arguments, const Streams& streams);

}  // namespace ridgeline::app
