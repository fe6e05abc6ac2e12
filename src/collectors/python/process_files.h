// Files of the Python agent (src/collectors/python/): process-<pid>.jsonl, one per Python
// process of a workload, one JSON object per line, appended as events occur:
//   {"event": "start", "pid": 7, "ppid": 1, "python": "3.11.2", "argv": [...], ...}
//   {"event": "rank", "rank": 1, "local_rank": 1, "world_size": 2}
//   {"event": "torch", "version": "2.13.0", "cuda": null, "hooked": true, ...}
//   {"event": "model", "root": 1, "class": "GPT", "modules": [...], "tensors": [...]}
//   {"event": "call", "index": 1, "kind": "generate", "duration_ns": 1, ...}
//   {"event": "profile", "call": 3, "trace": "trace-7.json", ...}
//   {"event": "problem", "name": "ProfilerBusy", "text": "..."}
//   {"event": "end", "outermost_calls": 123, "compiled": [...]}
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::python {

// A parameter or buffer of a module tree.
struct Tensor {
  std::string name;
  std::string kind;  // "parameter", "buffer"
  std::vector<int64_t> shape;
  std::string dtype;   // "bfloat16"
  std::string device;  // "cuda:0"
  int64_t numel = 0;
  int64_t bytes = 0;
  std::string tied_to;  // Name of the tensor whose storage it shares, or empty.

  bool operator==(const Tensor&) const = default;
};

struct Module {
  std::string path;  // "model.layers.3.mlp"; empty: the root.
  std::string class_name;

  bool operator==(const Module&) const = default;
};

// A module that was called from outside any other module.
struct Model {
  int64_t root = 0;  // Number within its process.
  std::string class_name;
  std::string config_json;  // Hugging Face models only; otherwise empty.
  std::vector<Module> modules;
  std::vector<Tensor> tensors;

  bool operator==(const Model&) const = default;
};

// One timed unit of work: generate(), the outermost forward(), or a configured region.
struct Call {
  int64_t index = 0;  // From 1, within its process.
  std::string kind;   // "generate", "forward", "region"
  std::string name;   // "LlamaForCausalLM.generate"
  int64_t start_unix_ns = 0;
  int64_t duration_ns = 0;
  bool profiled = false;
  std::string error;  // Class of the exception that ended it, or empty.
  std::optional<int64_t> batch;
  std::optional<int64_t> prompt_tokens;
  std::optional<int64_t> generated_tokens;
  std::optional<int64_t> forwards;
  std::optional<int64_t> prefill_ns;
  std::optional<int64_t> ttft_ns;
  std::optional<int64_t> decode_ns;
  std::vector<int64_t> decode_step_ns;

  bool operator==(const Call&) const = default;
};

struct Trace {
  int64_t call = 0;     // Index of the recorded call.
  std::string file;     // Beside the process file.
  int64_t stop_ns = 0;  // Time to stop the profiler and export.

  bool operator==(const Trace&) const = default;
};

struct Problem {
  std::string name;  // "ProfilerBusy"
  std::string text;

  bool operator==(const Problem&) const = default;
};

struct Process {
  int64_t pid = 0;
  int64_t parent_pid = 0;
  int64_t start_unix_ns = 0;
  std::string python;  // "3.11.2"
  std::vector<std::string> argv;
  // For distributed programs: RANK, LOCAL_RANK, WORLD_SIZE or the process group, as last
  // seen; a spawned worker learns its rank after Python has started.
  std::optional<int64_t> rank;
  std::optional<int64_t> local_rank;
  std::optional<int64_t> world_size;
  std::string torch;       // Version; empty: never imported.
  bool hooked = false;     // Also false if nothing was requested.
  std::string not_hooked;  // Why PyTorch cannot be hooked.
  std::vector<Model> models;
  std::vector<Call> calls;
  std::optional<Trace> trace;
  std::vector<Problem> problems;
  bool ended = false;                 // False: killed, os._exit() or exec.
  int64_t outermost_calls = 0;        // Of modules.
  std::vector<std::string> compiled;  // Paths of modules traced as a single range.

  bool operator==(const Process&) const = default;
};

// The processes of one file: a program that replaces itself (exec) is another process
// with the same pid. An incomplete last line is ignored: the process was killed while
// writing it. Errors begin with `origin`.
Result<std::vector<Process>> ParseProcessFile(std::string_view text,
                                              std::string_view origin);

// All processes in the directory and its rank directories (rank3/), in order of their
// start; trace files are relative to `directory`. Empty: the agent was not loaded.
Result<std::vector<Process>> ReadProcessFiles(const std::filesystem::path& directory);

}  // namespace ridgeline::python
