#pragma once

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/run/run_options.h"

namespace ridgeline::app {

// One run of the pipeline, from the command line to its exit status.
ExitStatus RunJob(const RunOptions& options, const Streams& streams);

// --multirun: each job is a separate process, so that a crash does not affect the others.
ExitStatus RunSweep(const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
