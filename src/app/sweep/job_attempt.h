// Runs one job of a sweep, and records that it did.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// Runs `ridgeline ARGUMENTS`, in this process or in another one, and appends its output
// to the log.
using RunRidgeline = std::function<Result<os::ProcessResult>(
    std::span<const std::string> arguments, const std::filesystem::path& log)>;

struct AttemptRequest {
  artifacts::SweepDir directory;
  artifacts::Attempt attempt;  // Its id, and where it runs.
  RunRidgeline run;
};

// Begins the attempt, runs the job to its end and returns how it ended; a run that an
// earlier attempt began is resumed. The end is not recorded: that is up to the caller
// (artifacts::EndAttempt). Nothing: another process has this attempt.
Result<std::optional<artifacts::Attempt>> RunAttempt(const AttemptRequest& request,
                                                     const artifacts::SweepJob& job);

}  // namespace ridgeline::app
