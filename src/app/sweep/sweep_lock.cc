#include "app/sweep/sweep_lock.h"

#include <chrono>
#include <thread>

#include "os/command.h"
#include "os/files.h"

namespace ridgeline::app {

std::filesystem::path LockedDirectory(const artifacts::SweepManifest& sweep) {
  const artifacts::SweepDir directory(sweep.directory);
  return sweep.launcher == "slurm" ? directory.submissions() : directory.jobs();
}

Result<os::DirectoryLock> LockSweep(const artifacts::SweepManifest& sweep,
                                    SweepPrinter& printer) {
  const std::filesystem::path directory = LockedDirectory(sweep);
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory));
  for (bool is_noted = false;; is_noted = true) {
    RIDGELINE_TRY(auto lock, os::DirectoryLock::Try(directory));
    if (lock) return std::move(*lock);
    if (sweep.launcher != "slurm") {
      return Error(ErrorCode::kConfig,
                   sweep.directory +
                       ": another process runs this sweep\nhint: to watch it: ridgeline "
                       "sweep attach " +
                       os::ShellQuoted(sweep.directory));
    }
    if (!is_noted) {
      printer.Note("note: another process submits jobs of this sweep; waiting for it");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace ridgeline::app
