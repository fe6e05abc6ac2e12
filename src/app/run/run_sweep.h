#pragma once

#include "app/exit_status.h"
#include "app/run/run_options.h"
#include "app/streams.h"

namespace ridgeline::app {

// --multirun: every job a process of its own, so that none can take the others down.
ExitStatus RunSweep(const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
