// hydra/launcher=basic, local and submitit_local: jobs of a sweep on this machine.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"

namespace ridgeline::app {

// Events of a launcher; called by one thread at a time.
struct JobObserver {
  std::function<void(const artifacts::SweepJob& job)> started;
  std::function<void(const artifacts::SweepJob& job)> ended;
};

// Runs jobs of `sweep` (indexes into sweep.jobs) as separate processes, so that a crash
// does not affect the others; at most sweep.parallel_jobs at once. `submission`: 0 for
// the sweep itself, one more for each resume. All jobs are run, even if others fail,
// unless interrupted. Their outcomes are in `sweep` afterwards.
//
// The caller holds the lock (LockSweep). Returns the signal that interrupted it.
Result<std::optional<int>> RunLocally(artifacts::SweepManifest& sweep,
                                      const std::vector<size_t>& jobs, int submission,
                                      const JobObserver& observer);

}  // namespace ridgeline::app
