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

// What can be seen of a workload from inside.
enum class WorkloadKind {
  kModel,    // A built-in model: all stages.
  kPython,   // A Python program: what the Python agent sees of PyTorch.
  kProgram,  // Any other program: nothing.
};

// Where the Python agent writes, below the output of a workload.
inline constexpr const char* kAgentFolder = "python";

// What the workload is started for. A program of the user does the same for all.
enum class WorkloadTask {
  kRun,      // Process every sample, as configured.
  kCapture,  // The same under a profiler that slows it down: a representative length.
  kProfile,  // kRun, and one sample under the operator recorder.
  kCount,    // Count the operators of one sample; measure the ceilings of a GPU.
};

// What a workload does at most under a profiler that slows it down.
struct CaptureLimits {
  // Of a built-in model; nothing: as configured. A program of the user is not limited.
  std::optional<int64_t> samples = 1;
  std::optional<int64_t> repeats = 1;
  std::optional<int64_t> max_new_tokens = 512;  // run.representative_max_new_tokens wins.
  // Whether the profiler records NVTX ranges: without, the Python agent is not loaded.
  bool records_nvtx = true;
};

// Directories of one workload run. They exist when it starts.
struct WorkloadPlace {
  std::filesystem::path scratch;  // Its input, and temporary files.
  std::filesystem::path output;   // Its output.
  WorkloadTask task = WorkloadTask::kRun;
  // Where the output is found after the stage: <run>/<stage>. Empty: it stays.
  std::filesystem::path final_output = {};
  CaptureLimits limits = {};                   // Of kCapture.
  bool resume = false;                         // Resume the unfinished work in `output`.
  std::optional<int64_t> rank = std::nullopt;  // Of a workload with ranks.
  bool observed = true;  // false: without the Python agent, the program only runs.
};

// The program to profile, as stages see it: a command. Stages do not depend on the model.
class Workload {
 public:
  virtual ~Workload() = default;

  // One line for people: "the built-in model NAME", "./serve --port 80".
  virtual std::string Describe() const = 0;

  // Why it cannot be run in this build; empty: it can.
  virtual std::string Unavailable() const { return ""; }

  virtual WorkloadKind kind() const = 0;
  bool IsModel() const { return kind() == WorkloadKind::kModel; }

  // Its ranks; null: it is one process.
  virtual const ranks::RankOptions* ranks() const { return nullptr; }

  // The program that does the work once, or the part of one rank.
  virtual os::Command AsCommand(const WorkloadPlace& place) const = 0;

  // The same without what starts it: the program that must exist.
  virtual os::Command Program(const WorkloadPlace& place) const {
    return AsCommand(place);
  }

  // Writes the input of the program, of all its ranks, to `place.scratch`, which exists.
  virtual Status Prepare(const WorkloadPlace& place) const = 0;

  // Names in the run directory, besides those of stages, that its outputs have.
  virtual std::vector<std::string> NamesInRunDir() const { return {}; }

  // Differences between the profiled run and the configuration, one sentence each.
  virtual std::vector<std::string> Changes() const = 0;

  // The files that it reads. An error if some are missing that must be there.
  virtual Result<std::vector<InputPath>> Inputs() const = 0;
};

}  // namespace ridgeline::pipeline
