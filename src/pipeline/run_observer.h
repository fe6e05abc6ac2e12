// Receives the events of a run: terminal, log or JSON stream.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artifacts/manifest.h"
#include "os/command.h"

namespace ridgeline::pipeline {

// Progress reported by a workload.
struct Progress {
  double done = 0;
  std::optional<double> total;
  std::string unit;  // "pages"

  bool operator==(const Progress&) const = default;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void RunStarted(const artifacts::Manifest& manifest) = 0;
  virtual void StageStarted(const artifacts::StageRecord& stage) = 0;
  virtual void CommandStarted(std::string_view stage, std::string_view purpose,
                              const os::Command& command) = 0;
  virtual void CommandOutput(std::string_view bytes) = 0;
  // Several times a second.
  virtual void StageProgress(std::string_view stage, double elapsed_s,
                             const std::optional<Progress>& progress) = 0;
  virtual void StageEnded(const artifacts::StageRecord& stage,
                          std::string_view summary) = 0;
  virtual void RunEnded(const artifacts::Manifest& manifest) = 0;
};

}  // namespace ridgeline::pipeline
