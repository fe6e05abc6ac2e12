// How a run goes on, for machines: one JSON object per line.
#pragma once

#include <chrono>
#include <iosfwd>

#include "pipeline/run_observer.h"

namespace ridgeline::app {

// "schema_version" of the events of runs and of sweeps.
inline constexpr int kEventVersion = 1;

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

}  // namespace ridgeline::app
