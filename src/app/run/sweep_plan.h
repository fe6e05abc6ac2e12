// Plan of a sweep: its jobs, before any of them starts.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/exit_status.h"
#include "app/run/run_options.h"
#include "artifacts/sweep_manifest.h"
#include "launchers/slurm_options.h"

namespace ridgeline::app {

struct SweepPlan {
  artifacts::SweepManifest sweep;
  std::string multirun_yaml;                     // Configuration of the sweep itself.
  std::optional<launchers::SlurmOptions> slurm;  // nullopt: jobs run on this machine.
  std::vector<std::string> notes;                // About the launcher.
};

// Composes and checks every job. Prints errors.
ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams);

void PrintSweepPlan(const SweepPlan& plan, std::ostream& out);

// A line per job, then counts by outcome.
std::string SweepTable(const std::vector<artifacts::SweepJob>& jobs);

// "21 done, 3 failed"
std::string SweepCounts(const std::vector<artifacts::SweepJob>& jobs);

// Progress of a sweep: text for people, or JSON Lines.
class SweepPrinter {
 public:
  struct Style {
    bool json = false;
    bool is_quiet = false;
    int live_columns = 0;  // Width for a live table; 0: print lines.
  };

  SweepPrinter(const Style& style, const Streams& streams)
      : style_(style), streams_(streams) {}

  void SweepStarted(const artifacts::SweepManifest& sweep);
  void JobStarted(const artifacts::SweepJob& job);
  void JobEnded(const artifacts::SweepJob& job);
  // Only on a terminal, and not with JSON output. Replaces the output of the last call.
  void ShowLive(const artifacts::SweepManifest& sweep, double elapsed_s);
  void Note(const std::string& text);
  void SweepEnded(const artifacts::SweepManifest& sweep, ExitStatus status);

  // Erases the output of ShowLive().
  void ClearLive();

  bool IsTalkative() const { return !style_.json && !style_.is_quiet; }

 private:
  bool IsLive() const { return style_.live_columns > 0 && !style_.json; }

  const Style style_;
  const Streams& streams_;
  int live_lines_ = 0;
};

SweepPrinter::Style StyleOf(const RunOptions& options);

}  // namespace ridgeline::app
