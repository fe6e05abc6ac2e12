// A stage: one way of profiling a workload. Created from its section of the
// configuration; returns a plan and runs once.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"
#include "os/command.h"
#include "pipeline/config_keys.h"
#include "pipeline/tool_answers.h"
#include "pipeline/workload.h"

namespace ridgeline::pipeline {

class StageContext;

// Outcome of a stage. Skipped is not an error: it names the missing requirement, and the
// run continues.
struct Done {
  std::string summary;  // A few words for the terminal line; may be empty.
};
struct Skipped {
  std::string reason;
};
using StageOutcome = std::variant<Done, Skipped, Error>;

// The command of one rank of the workload.
struct RankCommand {
  os::Command command;
  bool profiled = true;  // false: only runs because the others need it.
};

// One program that a stage starts.
struct PlannedCommand {
  std::string purpose;  // "workload", "nsys profile"
  os::Command command;
  std::string log;     // File name of its output, in the stage's directory.
  std::string output;  // File name of its stdout alone; empty: in the log.
  // A second log written by the command itself, to separate the output of profiler and
  // workload; empty: none. Shown to the user while it grows.
  std::string second_log;
  std::string command_file;  // File for the command line; empty: none.
  int64_t times = 1;         // Number of repetitions.
  // By rank; not empty: `command` is the launcher that starts them and `log` its output.
  // Logs of ranks contain the rank in their names (ranks::RankFile).
  std::vector<RankCommand> ranks = {};
  bool takes_turns = false;  // Profiled ranks on one host start it one after the other.
};

struct StagePlan {
  std::vector<PlannedCommand> commands;  // Those known before anything runs.
  std::vector<std::string> tools;        // Programs besides the workload: "nsys".
  std::vector<std::string> writes;       // File names in the stage's directory.
  std::vector<std::string> assumptions;  // Choices not determined by the configuration.
  // Its tool stores the workload's environment in TMPDIR, world-readable, and leaves it
  // there when killed: it gets a private TMPDIR, removed afterwards.
  bool needs_private_temporary = false;
  // Names in TMPDIR that the tool shares with other instances even then: locks.
  std::vector<std::string> shared_temporaries;
  // A file in the stage's directory from which it resumes after being killed, interrupted
  // or stopped; empty: each attempt starts over.
  std::string journal;
  std::string skip;  // Not empty: why it cannot run at all.
};

// Directories a stage writes to.
struct StagePlace {
  const Workload& workload;
  std::filesystem::path directory;         // Absolute; for its artifacts.
  std::filesystem::path workload_scratch;  // For the workload it starts.
  // Ceilings of the run's device; written by the first stage that needs them.
  std::filesystem::path ceilings_file;
  std::filesystem::path final_directory = {};  // Final location of its artifacts.
  // An earlier attempt left its journal in `directory`.
  bool continues = false;

  // A workload run whose output is part of the stage's; it continues from an earlier
  // attempt.
  WorkloadPlace ForOutput(WorkloadTask task) const {
    return {workload_scratch, directory, task, final_directory, {}, continues};
  }
  // A run under a profiler, whose output is not.
  WorkloadPlace ForCapture(const CaptureLimits& limits) const {
    WorkloadPlace place = {
        workload_scratch, workload_scratch, WorkloadTask::kCapture, {}, limits};
    place.observed = limits.records_nvtx;
    return place;
  }
};

class Stage {
 public:
  virtual ~Stage() = default;
  // Does not start or write anything.
  virtual StagePlan Plan(const StagePlace& place) const = 0;
  virtual StageOutcome Run(StageContext& context) = 0;
};

// The configuration passed to a stage on creation.
struct StageConfig {
  config::Workspace& workspace;
  config::Node& root;     // The whole configuration.
  config::Node& section;  // pipeline.<name>; `enable` and `timeout_s` are already read.
  ToolAnswers& tools;
};

// A named outcome of a stage, as recorded in the manifest for scripts. The table in
// docs/<stage>.md is checked against it.
struct OutcomeSpec {
  std::string_view name;    // "NoRangeHit"
  std::string_view effect;  // State of the stage: done, failed or skipped.
  std::string_view when;    // Human-readable; Markdown.
};

// An entry of the registry. Stages run in registry order.
struct StageEntry {
  std::string_view name;  // The key below `pipeline` and the directory name.
  std::span<const std::string_view> needs;  // Stages whose results it requires.
  config::Result<std::unique_ptr<Stage>> (*make)(const StageConfig& config);
  KeyGroup (*keys)();                                    // pipeline.<name>.*
  std::span<const OutcomeSpec> (*outcomes)() = nullptr;  // Null: no named outcomes.
};

}  // namespace ridgeline::pipeline
