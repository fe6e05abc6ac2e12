#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/workload.h"
#include "ranks/rank_options.h"
#include "workloads/python_options.h"

namespace ridgeline::workloads {

// The workload of pipeline.workload: `command` if set, else the built-in model.
config::Result<std::unique_ptr<pipeline::Workload>> MakeWorkload(
    config::Workspace& workspace, config::Node& root);

// pipeline.workload.*: any program.
struct ExternalCommandOptions {
  std::vector<std::string> command;                // The program and its arguments.
  std::filesystem::path directory;                 // Working directory; absolute.
  std::map<std::string, std::string> environment;  // Added to ours.
  std::filesystem::path input;                     // Its stdin; empty: none.
  // The Python agent; empty: the program is not observed from inside.
  std::filesystem::path agent;
  PythonOptions python;
  std::optional<ranks::RankOptions> ranks;  // nullopt: a single process.
};

class ExternalCommand final : public pipeline::Workload {
 public:
  explicit ExternalCommand(ExternalCommandOptions options)
      : options_(std::move(options)) {}

  std::string Describe() const override;
  pipeline::WorkloadKind kind() const override {
    return options_.agent.empty() ? pipeline::WorkloadKind::kProgram
                                  : pipeline::WorkloadKind::kPython;
  }
  const ranks::RankOptions* ranks() const override {
    return options_.ranks ? &*options_.ranks : nullptr;
  }
  os::Command AsCommand(const pipeline::WorkloadPlace& place) const override;
  os::Command Program(const pipeline::WorkloadPlace& place) const override;
  Status Prepare(const pipeline::WorkloadPlace& place) const override;
  std::vector<std::string> Changes() const override { return {}; }
  // The program, and its arguments that are files.
  Result<std::vector<pipeline::InputPath>> Inputs() const override;

 private:
  ExternalCommandOptions options_;
};

}  // namespace ridgeline::workloads
