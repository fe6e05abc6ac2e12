// The jobs of a sweep, before any of them starts.
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
  std::string multirun_yaml;                     // The configuration of the sweep itself.
  std::optional<launchers::SlurmOptions> slurm;  // Nothing: jobs run on this machine.
  std::vector<std::string> notes;                // About the launcher.
};

// Composes and checks every job. Errors have been printed when this returns.
ridgeline::Result<SweepPlan, ExitStatus> PlanSweepJobs(const RunOptions& options,
                                                       const Streams& streams);

void PrintSweepPlan(const SweepPlan& plan, std::ostream& out);

// A line per job, then how many ended in which way.
std::string SweepTable(const std::vector<artifacts::SweepJob>& jobs);

// "21 done, 3 failed"
std::string SweepCounts(const std::vector<artifacts::SweepJob>& jobs);

// Progress of a sweep: lines for people, or JSON Lines for machines.
class SweepPrinter {
 public:
  struct Style {
    bool json = false;
    bool is_quiet = false;
    int live_columns = 0;  // Of a terminal that shows a table; 0: lines.
  };

  SweepPrinter(const Style& style, const Streams& streams)
      : style_(style), streams_(streams) {}

  void SweepStarted(const artifacts::SweepManifest& sweep);
  void JobStarted(const artifacts::SweepJob& job);
  void JobEnded(const artifacts::SweepJob& job);
  // Nothing but JSON without a terminal. Replaces what the last call showed.
  void ShowLive(const artifacts::SweepManifest& sweep, double elapsed_s);
  void Note(const std::string& text);
  void SweepEnded(const artifacts::SweepManifest& sweep, ExitStatus status);

  // Removes what ShowLive() has drawn.
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
