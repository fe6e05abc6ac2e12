// The jobs of a sweep, before any of them starts.
#pragma once

#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/run/run_options.h"

namespace ridgeline::app {

struct PlannedJob {
  int number = 0;
  std::string overrides;               // Those that tell it from the others.
  std::string directory;               // Absolute.
  std::vector<std::string> arguments;  // Of `ridgeline`, for this job alone.
};

struct SweepPlan {
  std::string directory;      // hydra.sweep.dir; absolute.
  std::string multirun_yaml;  // The configuration of the sweep itself.
  size_t parallel_jobs = 1;
  std::vector<PlannedJob> jobs;
};

// Composes and checks every job. What went wrong was told already.
ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams);

}  // namespace ridgeline::app
