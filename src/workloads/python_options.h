// pipeline.workload.python: how a workload that is a Python program is observed.
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

// `root` is the whole configuration. Sections that are not there have their defaults.
config::Result<PythonOptions> ReadPythonOptions(config::Workspace& workspace,
                                                config::Node& root);

// What is asked of the agent for one run of the workload.
python::Request RequestFor(const PythonOptions& options,
                           const pipeline::WorkloadPlace& place);

}  // namespace ridgeline::workloads
