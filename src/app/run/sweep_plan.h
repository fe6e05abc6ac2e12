// The jobs of a sweep, before any of them starts.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/run/run_options.h"
#include "artifacts/manifest.h"

namespace ridgeline::app {

struct PlannedJob {
  int number = 0;
  std::string overrides;               // Without those common to all jobs.
  std::string directory;               // Absolute.
  std::vector<std::string> arguments;  // Of `ridgeline`, for this job alone.
};

struct SweepPlan {
  std::string directory;      // hydra.sweep.dir; absolute.
  std::string multirun_yaml;  // The configuration of the sweep itself.
  size_t parallel_jobs = 1;
  std::vector<PlannedJob> jobs;
};

// Composes and checks every job. Errors have been printed when this returns.
ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams);

struct JobOutcome {
  artifacts::State state = artifacts::State::kPending;
  std::optional<int> exit_code;
  double wall_s = 0;
  std::string reason;
};

// Where a job's own talk goes.
std::filesystem::path JobLog(const std::filesystem::path& sweep_directory, int job);

void PrintSweepPlan(const SweepPlan& plan, std::ostream& out);

// The table at the end: a line per job, then how many ended in which way.
std::string SweepTable(const SweepPlan& plan, const std::vector<JobOutcome>& ends);

// How a sweep goes on: lines for people, or JSON Lines for machines.
class SweepPrinter {
 public:
  SweepPrinter(const RunOptions& options, const Streams& streams)
      : options_(options), streams_(streams) {}

  void SweepStarted(const SweepPlan& plan);
  void JobStarted(const PlannedJob& job);
  void JobEnded(const PlannedJob& job, const JobOutcome& end);
  void SweepEnded(const SweepPlan& plan, const std::vector<JobOutcome>& ends,
                  ExitStatus status);

 private:
  bool IsQuiet() const { return options_.verbosity == RunOptions::Verbosity::kQuiet; }

  const RunOptions& options_;
  const Streams& streams_;
};

}  // namespace ridgeline::app
