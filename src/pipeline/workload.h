#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/command.h"
#include "pipeline/inputs.h"
#include "ranks/rank_options.h"

namespace ridgeline::pipeline {

// How much of a workload can be instrumented.
enum class WorkloadKind {
  kModel,    // A built-in model: all stages.
  kPython,   // A Python program: PyTorch, through the Python agent.
  kProgram,  // Any other program: nothing.
};

// The Python agent's folder in the output of a workload.
inline constexpr const char* kAgentFolder = "python";

// The purpose of starting the workload. User programs ignore it.
enum class WorkloadTask {
  kRun,      // Process every sample, as configured.
  kCapture,  // The same under a profiler that slows it down: a representative length.
  kProfile,  // kRun, and one sample under the operator recorder.
  kCount,    // Count the operators of one sample; measure the ceilings of a GPU.
};

// Limits for a workload under a profiler that slows it down.
struct CaptureLimits {
  // For a built-in model; empty: as configured. User programs are not limited.
  std::optional<int64_t> samples = 1;
  std::optional<int64_t> repeats = 1;
  std::optional<int64_t> max_new_tokens = 512;  // run.representative_max_new_tokens wins.
  // Whether the profiler records NVTX ranges: if not, the Python agent is not loaded.
  bool records_nvtx = true;
};

// Directories of one workload run. They exist when it starts.
struct WorkloadPlace {
  std::filesystem::path scratch;  // Its input, and temporary files.
  std::filesystem::path output;   // Its output.
  WorkloadTask task = WorkloadTask::kRun;
  // Final location of the output after the stage: <run>/<stage>. Empty: unchanged.
  std::filesystem::path final_output = {};
  CaptureLimits limits = {};                   // For kCapture.
  bool resume = false;                         // Resume the unfinished work in `output`.
  std::optional<int64_t> rank = std::nullopt;  // For a workload with ranks.
  bool observed = true;  // false: plain run without the Python agent.
};

// The program to profile, as seen by stages: a command. Stages do not depend on the
// model.
class Workload {
 public:
  virtual ~Workload() = default;

  // One-line description: "the built-in model NAME", "./serve --port 80".
  virtual std::string Describe() const = 0;

  // Why it cannot run in this build; empty: it can.
  virtual std::string Unavailable() const { return ""; }

  virtual WorkloadKind kind() const = 0;
  bool IsModel() const { return kind() == WorkloadKind::kModel; }

  // Its ranks; null: a single process.
  virtual const ranks::RankOptions* ranks() const { return nullptr; }

  // The program that does the work once, or one rank's part of it.
  virtual os::Command AsCommand(const WorkloadPlace& place) const = 0;

  // The same without its launcher: the program that must exist.
  virtual os::Command Program(const WorkloadPlace& place) const {
    return AsCommand(place);
  }

  // Writes the input of the program, for all its ranks, to `place.scratch`, which exists.
  virtual Status Prepare(const WorkloadPlace& place) const = 0;

  // Names in the run directory used by its outputs, besides those of stages.
  virtual std::vector<std::string> NamesInRunDir() const { return {}; }

  // Differences between the profiled run and the configuration, one sentence each.
  virtual std::vector<std::string> Changes() const = 0;

  // Its input files. An error if required ones are missing.
  virtual Result<std::vector<InputPath>> Inputs() const = 0;
};

}  // namespace ridgeline::pipeline
