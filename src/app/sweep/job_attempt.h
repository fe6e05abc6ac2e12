// Runs one job of a sweep and records its start.
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

// Runs `ridgeline ARGUMENTS`, in this process or another one, and appends its output to
// the log.
using RunRidgeline = std::function<Result<os::ProcessResult>(
    std::span<const std::string> arguments, const std::filesystem::path& log)>;

struct AttemptRequest {
  artifacts::SweepDir directory;
  artifacts::Attempt attempt;  // Its id and host.
  RunRidgeline run;
};

// Begins the attempt, runs the job to its end and returns the outcome; resumes a run
// started by an earlier attempt. The end is recorded by the caller
// (artifacts::EndAttempt). nullopt: another process has this attempt.
Result<std::optional<artifacts::Attempt>> RunAttempt(const AttemptRequest& request,
                                                     const artifacts::SweepJob& job);

}  // namespace ridgeline::app
