// Who may start jobs of a sweep: one process at a time.
#pragma once

#include "app/run/sweep_plan.h"
#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "os/directory_lock.h"

namespace ridgeline::app {

// The directory whose lock is held by the process that submits jobs to Slurm, or that
// runs them on this machine, from its decision which ones until it is done with it.
std::filesystem::path LockedDirectory(const artifacts::SweepManifest& sweep);

// Creates that directory and locks it. Another process that submits jobs has the lock for
// seconds, and is waited for. kConfig: another process runs the jobs on this machine.
Result<os::DirectoryLock> LockSweep(const artifacts::SweepManifest& sweep,
                                    SweepPrinter& printer);

}  // namespace ridgeline::app
