#pragma once

#include <filesystem>

#include "app/command_support.h"
#include "app/exit_status.h"

namespace ridgeline::app {

// What the job script of a sweep starts on a node: runs job `job`, submitted by
// submission `submission`, and records how it ended. SIGUSR2 announces the time limit:
// the run is stopped, and requeued as often as the sweep allows.
ExitStatus RunSlurmJob(const std::filesystem::path& directory, int submission, int job,
                       const Streams& streams);

}  // namespace ridgeline::app
