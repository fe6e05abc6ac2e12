#pragma once

#include "app/run/run_setup.h"
#include "pipeline/manifest_writer.h"

namespace ridgeline::app {

// A run to go on with.
struct ResumedRun {
  RunSetup setup;
  RunOptions options;
  pipeline::ManifestWriter writer;
};

// Refuses, with the reason, if the run is finished or still going on, or if its
// configuration or its inputs are not what they were. What went wrong was told already.
ridgeline::Result<ResumedRun, ExitStatus> PrepareResume(const RunOptions& options,
                                                        const Streams& streams);

}  // namespace ridgeline::app
