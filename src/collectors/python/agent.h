// The Python agent: a sitecustomize that comes first in the PYTHONPATH of a workload and
// observes PyTorch from inside, without changes to the program. Ridgeline configures it
// with a file, request.json; it writes process files (process_files.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/command.h"

namespace ridgeline::python {

// A function to observe: an NVTX range, and an annotation in traces.
struct Region {
  std::string target;  // "package.module:Class.method"
  std::string name;
  std::vector<std::string> arguments;  // Arguments whose values are in the label.
  bool is_call = false;                // Its invocations are timed as calls.
  bool is_optional = false;            // May be missing in some versions.

  bool operator==(const Region&) const = default;
};

// Module calls as ranges.
struct Ranges {
  std::optional<int64_t> max_depth;  // nullopt: unlimited.
  std::vector<std::string> include;  // Regular expressions for paths; empty: all.
  std::vector<std::string> exclude;
};

// torch.profiler around one call.
struct Profiling {
  std::vector<std::string> activities = {"cpu", "cuda"};
  bool record_shapes = false;
  bool profile_memory = false;
  bool with_stack = false;
  int64_t warmup_calls = 2;
};

struct Request {
  std::filesystem::path output;  // Directory of the process files; absolute.
  bool describe = false;         // Module tree, parameters and configuration.
  bool calls = false;            // Time every call.
  std::vector<Region> regions;
  std::optional<Ranges> ranges;        // nullopt: no NVTX ranges.
  std::optional<Profiling> profiling;  // nullopt: no profiler.
};

std::string ToJson(const Request& request);

// nullopt: not part of this build.
std::optional<std::filesystem::path> FindAgent();

// The same command with the agent in `agent`, which reads its request from the file.
// `python_path`: PYTHONPATH of the workload without Ridgeline.
os::Command WithAgent(os::Command command, const std::filesystem::path& agent,
                      const std::filesystem::path& request,
                      const std::optional<std::string>& python_path);

// "/usr/bin/python3", "python3.13t".
bool IsInterpreter(const std::string& program);

// The script in the arguments of an interpreter, `python3 -u x.py`; empty: the command
// is not one, or runs a module, an expression or its standard input.
std::string ScriptOf(const std::vector<std::string>& argv);

// Whether a command starts Python, judging by its arguments and the first line of a
// script: `python3 x.py`, `torchrun x.py`, `uv run x.py`, `env A=1 python x.py`.
bool StartsPython(const os::Command& command);

}  // namespace ridgeline::python
