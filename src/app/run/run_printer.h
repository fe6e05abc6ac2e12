// Progress of a run for people: on a terminal one line per stage, updated until the stage
// ends; in a log one line per event.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "app/run/run_options.h"
#include "pipeline/run_observer.h"

namespace ridgeline::app {

// Text after the name on the live line of a stage:
//   12.3 s  3/20 pages  0.2 pages/s  70.0 s left
// The rate counts from the first progress of the stage: a workload takes time to start,
// and a resumed one does not begin at 0.
class ProgressLine {
 public:
  std::string Text(double elapsed_s, const std::optional<pipeline::Progress>& progress);

 private:
  struct Start {
    double elapsed_s = 0;
    double done = 0;
  };
  std::optional<Start> start_;
};

class RunPrinter final : public pipeline::RunObserver {
 public:
  struct Style {
    RunOptions::Verbosity verbosity = RunOptions::Verbosity::kNormal;
    int live_columns = 0;  // Terminal width; 0: no terminal, nothing is redrawn.
  };

  RunPrinter(std::ostream& out, Style style) : out_(out), style_(style) {}

  void RunStarted(const artifacts::Manifest& manifest) override;
  void StageStarted(const artifacts::StageRecord& stage) override;
  void CommandStarted(std::string_view stage, std::string_view purpose,
                      const os::Command& command) override;
  void CommandOutput(std::string_view bytes) override;
  void StageProgress(std::string_view stage, double elapsed_s,
                     const std::optional<pipeline::Progress>& progress) override;
  void StageEnded(const artifacts::StageRecord& stage, std::string_view summary) override;
  void RunEnded(const artifacts::Manifest& manifest) override;

 private:
  bool IsLive() const {
    return style_.live_columns > 0 && style_.verbosity == RunOptions::Verbosity::kNormal;
  }
  void ClearLine();
  void PrintSkipped();

  std::ostream& out_;
  Style style_;
  bool line_is_drawn_ = false;
  ProgressLine progress_;
  double last_progress_s_ = 0;
  // Consecutive stages skipped for one reason share a line, printed before the next one.
  std::vector<std::string> skipped_;
  std::string skip_reason_;
};

// Progress of a run for scripts: one JSON object per line.

// "schema_version" of run and sweep events.
inline constexpr int kEventVersion = 2;

// Every line has "schema_version", "time" and "event": run_started, stage_started,
// command_started, stage_progress (at most one a second), stage_ended, run_ended.
class EventStream final : public pipeline::RunObserver {
 public:
  explicit EventStream(std::ostream& out) : out_(out) {}

  void RunStarted(const artifacts::Manifest& manifest) override;
  void StageStarted(const artifacts::StageRecord& stage) override;
  void CommandStarted(std::string_view stage, std::string_view purpose,
                      const os::Command& command) override;
  void CommandOutput(std::string_view) override {}
  void StageProgress(std::string_view stage, double elapsed_s,
                     const std::optional<pipeline::Progress>& progress) override;
  void StageEnded(const artifacts::StageRecord& stage, std::string_view summary) override;
  void RunEnded(const artifacts::Manifest& manifest) override;

 private:
  std::ostream& out_;
  double last_progress_s_ = 0;
};

// "0.4 s", "12.3 s", "4 min 05 s", "2 h 03 min"
std::string DurationText(double seconds);

}  // namespace ridgeline::app
