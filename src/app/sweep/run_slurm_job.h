#pragma once

#include <filesystem>

#include "app/command_support.h"
#include "app/exit_status.h"

namespace ridgeline::app {

// Started on a node by the job script of a sweep: runs job `job` of submission
// `submission`, and records its outcome. SIGUSR2 announces the time limit: the run is
// stopped, and requeued as often as the sweep allows.
ExitStatus RunSlurmJob(const std::filesystem::path& directory, int submission, int job,
                       const Streams& streams);

}  // namespace ridgeline::app
