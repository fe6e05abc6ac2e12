#pragma once

#include "app/exit_status.h"
#include "app/run/run_options.h"
#include "app/streams.h"

namespace ridgeline::app {

// One run of the pipeline, from the command line to its exit status.
ExitStatus RunJob(const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
