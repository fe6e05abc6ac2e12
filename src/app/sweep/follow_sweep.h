// Shows the progress of a sweep until it ends.
#pragma once

#include <vector>

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/run/sweep_plan.h"
#include "app/sweep/sweep_state.h"

namespace ridgeline::app {

// Note about a file of SweepManifest::damaged.
std::string DamageNote(const std::string& message);

// kDone: every job is done.
ExitStatus StatusOf(const std::vector<artifacts::SweepJob>& jobs);

// Whether to show starts and ends of jobs from before.
enum class Past { kShow, kSkip };

// Watches the jobs until none is active. An interrupt stops watching, not the jobs.
ExitStatus FollowSweep(const artifacts::SweepManifest& sweep, Past past,
                       SweepPrinter& printer, const Streams& streams);

// Runs jobs (indexes into sweep.jobs) on this machine; the caller holds the lock
// (LockSweep). An interrupt ends them.
ExitStatus FollowLocally(artifacts::SweepManifest& sweep, const std::vector<size_t>& jobs,
                         int submission, SweepPrinter& printer, const Streams& streams);

}  // namespace ridgeline::app
