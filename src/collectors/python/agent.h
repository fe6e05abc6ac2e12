// The Python agent: a sitecustomize that is put before the PYTHONPATH of a workload and
// observes PyTorch from inside, without a change of the program. Ridgeline asks with a
// file, request.json; the answers are process files (process_files.h).
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
  std::vector<std::string> arguments;  // Those whose values are in the label.
  bool is_call = false;                // Its invocations are the calls that are timed.
  bool is_optional = false;            // Not there: as of another version, no problem.

  bool operator==(const Region&) const = default;
};

// Module calls as ranges.
struct Ranges {
  std::optional<int64_t> max_depth;  // Nothing: all.
  std::vector<std::string> include;  // Regular expressions of paths; none: all.
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
  std::optional<Ranges> ranges;        // Nothing: no NVTX ranges.
  std::optional<Profiling> profiling;  // Nothing: no profiler.
};

std::string ToJson(const Request& request);

// Nothing: this build has none.
std::optional<std::filesystem::path> FindAgent();

// The same command with the agent in `agent`, which reads its request from the file.
// `python_path`: of the workload, as it would be without us.
os::Command WithAgent(os::Command command, const std::filesystem::path& agent,
                      const std::filesystem::path& request,
                      const std::optional<std::string>& python_path);

// "/usr/bin/python3", "python3.13t".
bool IsInterpreter(const std::string& program);

// Whether a command starts Python, as far as its words and the first line of a script
// tell: `python3 x.py`, `torchrun x.py`, `uv run x.py`, `env A=1 python x.py`.
bool StartsPython(const os::Command& command);

}  // namespace ridgeline::python
