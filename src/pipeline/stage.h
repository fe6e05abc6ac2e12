// A stage: one way of profiling a workload. It is created from its section of the
// configuration, returns a plan, and runs once.
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
  std::string summary;  // A few words for the line on the terminal; may be empty.
};
struct Skipped {
  std::string reason;
};
using StageOutcome = std::variant<Done, Skipped, Error>;

// What one rank of the workload runs.
struct RankCommand {
  os::Command command;
  bool profiled = true;  // false: it runs because the others need it.
};

// One program that a stage starts.
struct PlannedCommand {
  std::string purpose;  // "workload", "nsys profile"
  os::Command command;
  std::string log;     // Its output, as the name of a file in the stage's directory.
  std::string output;  // Its standard output alone, likewise; empty: in the log.
  // A second log written by the command itself, to separate the output of profiler and
  // workload; empty: none. Shown to the user while it grows.
  std::string second_log;
  std::string command_file;  // Where the command is written down; empty: nowhere.
  int64_t times = 1;         // How often it is run.
  // By rank; not empty: `command` is the launcher that starts them and `log` its output.
  // The logs of a rank have its number in their names (ranks::RankFile).
  std::vector<RankCommand> ranks = {};
};

struct StagePlan {
  std::vector<PlannedCommand> commands;  // Those that are known before anything runs.
  std::vector<std::string> tools;        // Programs beside the workload: "nsys".
  std::vector<std::string> writes;       // Names in the stage's directory.
  std::vector<std::string> assumptions;  // Choices that the configuration left open.
  // Its tool keeps the environment of the workload in TMPDIR, readable for everybody, and
  // leaves it there when it is killed: it gets a private TMPDIR, removed afterwards.
  bool needs_private_temporary = false;
  // Names in TMPDIR that the tool shares with others of its kind also then: locks.
  std::vector<std::string> shared_temporaries;
  // A file in the stage's directory from which it resumes after it was killed,
  // interrupted or stopped; empty: each attempt starts from the beginning.
  std::string journal;
  std::string skip;  // Not empty: why it cannot be done at all.
};

// Directories a stage writes to.
struct StagePlace {
  const Workload& workload;
  std::filesystem::path directory;         // Absolute; for its artifacts.
  std::filesystem::path workload_scratch;  // For the workload that it starts.
  // Of the run's device; written by the first stage that needs them.
  std::filesystem::path ceilings_file;
  std::filesystem::path final_directory = {};  // Where its artifacts are afterwards.
  // An earlier attempt left its journal in `directory`.
  bool continues = false;

  // A run of the workload whose output is part of the stage's; it continues with what an
  // earlier attempt left.
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
  // Starts and writes nothing.
  virtual StagePlan Plan(const StagePlace& place) const = 0;
  virtual StageOutcome Run(StageContext& context) = 0;
};

// The configuration as a stage sees it when it is made.
struct StageConfig {
  config::Workspace& workspace;
  config::Node& root;  // Of the whole configuration.
  config::Node&
      section;  // pipeline.<name>; its `enable` and `timeout_s` are read already.
  ToolAnswers& tools;
};

// A named outcome of a stage, as scripts find it in the manifest. The table in
// docs/<stage>.md is checked against it.
struct OutcomeSpec {
  std::string_view name;    // "NoRangeHit"
  std::string_view effect;  // On the stage: done, failed or skipped.
  std::string_view when;    // For people; Markdown.
};

// A line of the registry. The order of the registry is the order in which stages run.
struct StageEntry {
  std::string_view name;  // Of the key below `pipeline` and the directory.
  std::span<const std::string_view>
      needs;  // Stages without whose results it is pointless.
  config::Result<std::unique_ptr<Stage>> (*make)(const StageConfig& config);
  KeyGroup (*keys)();                                    // pipeline.<name>.*
  std::span<const OutcomeSpec> (*outcomes)() = nullptr;  // Null: it names none.
};

}  // namespace ridgeline::pipeline
