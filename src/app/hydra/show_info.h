#pragma once

#include "app/exit_status.h"
#include "app/hydra/hydra_flags.h"
#include "app/streams.h"

namespace ridgeline::app {

// --info all|config|defaults|defaults-tree|plugins|searchpath, laid out as Hydra does.
ExitStatus ShowInfo(const HydraOptions& options, const Streams& streams);

}  // namespace ridgeline::app
