#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/command.h"
#include "pipeline/inputs.h"

namespace ridgeline::pipeline {

// Where one run of a workload is at home. Both exist when it starts.
struct WorkloadPlace {
  std::filesystem::path scratch;  // What it reads, and what nobody keeps.
  std::filesystem::path output;   // What it has to show.
  std::string stage;              // Whom it is run for.
};

// What is being observed, seen from a stage: something that can be started as a process
// of its own. A stage never knows which model it is.
class Workload {
 public:
  virtual ~Workload() = default;

  // One line for people: "the built-in model deepseek_ocr", "./serve --port 80".
  virtual std::string Describe() const = 0;

  // Why it cannot be run in this build; empty: it can.
  virtual std::string Unavailable() const { return ""; }

  // Whether its operators can be seen from inside (static_analysis, torch_profiler).
  virtual bool IsModel() const = 0;

  // The program that does the work once.
  virtual os::Command AsCommand(const WorkloadPlace& place) const = 0;

  // Writes what the program reads from `scratch`, which exists.
  virtual Status Prepare(const std::filesystem::path& scratch) const = 0;

  // How what is run under a profiler differs from the configuration, a sentence each.
  virtual std::vector<std::string> Changes() const = 0;

  // The files that it reads. An error if some are missing that must be there.
  virtual Result<std::vector<InputPath>> Inputs() const = 0;
};

}  // namespace ridgeline::pipeline
