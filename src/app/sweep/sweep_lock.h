// Lock on starting jobs of a sweep: one process at a time.
#pragma once

#include "app/run/sweep_plan.h"
#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "os/directory_lock.h"

namespace ridgeline::app {

// Directory locked by the process that submits jobs to Slurm, or runs them on this
// machine, from choosing the jobs until it is done.
std::filesystem::path LockedDirectory(const artifacts::SweepManifest& sweep);

// Creates that directory and locks it. Waits for another process that submits jobs, which
// takes seconds. kConfig: another process is running the jobs on this machine.
Result<os::DirectoryLock> LockSweep(const artifacts::SweepManifest& sweep,
                                    SweepPrinter& printer);

}  // namespace ridgeline::app
