#pragma once

#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"
#include "app/streams.h"

namespace ridgeline::app {

// --cfg job|hydra|all, with --resolve and --package.
ExitStatus ShowConfig(const HydraOptions& options, const Streams& streams);

}  // namespace ridgeline::app
