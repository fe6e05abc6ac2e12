// pipeline.workload.python: how to observe workloads that are Python programs.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "collectors/python/agent.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "pipeline/workload.h"

namespace ridgeline::workloads {

struct PythonOptions {
  enum class Agent { kAuto, kAlways, kNever };

  Agent agent = Agent::kAuto;  // kAuto: if the command starts Python.
  python::Ranges ranges;       // Under nsys and ncu.
  std::vector<python::Region> regions;
  python::Profiling profiling;  // pipeline.torch_profiler.*
};

// `root`: the whole configuration. Missing sections have their defaults.
config::Result<PythonOptions> ReadPythonOptions(config::Workspace& workspace,
                                                config::Node& root);

// Request to the agent for one run of the workload.
python::Request RequestFor(const PythonOptions& options,
                           const pipeline::WorkloadPlace& place);

}  // namespace ridgeline::workloads
