#pragma once

#include <memory>

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/run/run_options.h"

namespace ridgeline::app {

// Runs the pipeline with a configuration composed with options.hydra.
ExitStatus RunJob(std::unique_ptr<ComposedHere> composed, const RunOptions& options,
                  const Streams& streams);

// --resume: continues the run in options.resume.
ExitStatus ResumeJob(const RunOptions& options, const Streams& streams);

// --multirun: each job is a separate process, so that a crash does not affect the others.
ExitStatus RunSweep(const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
