// Runs one job of a sweep, and records that it did.
#pragma once

#include <filesystem>
#include <optional>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "os/signal_watch.h"

namespace ridgeline::app {

struct AttemptRequest {
  artifacts::SweepDir directory;
  std::filesystem::path program;  // ridgeline.
  std::string working_directory;
  std::optional<double> timeout_s;  // Of a local job.
  artifacts::Attempt attempt;       // Its id, and where it runs.
  const os::SignalWatch* signals = nullptr;
};

// Begins the attempt, runs the job to its end and returns how it ended; a run that an
// earlier attempt began is resumed. The end is not recorded: that is up to the caller
// (artifacts::EndAttempt). Nothing: another process has this attempt.
Result<std::optional<artifacts::Attempt>> RunAttempt(const AttemptRequest& request,
                                                     const artifacts::SweepJob& job);

}  // namespace ridgeline::app
