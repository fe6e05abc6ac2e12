// From the command line to a plan: everything that can be decided, and every mistake
// that can be found, before anything is started or written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/run/run_options.h"
#include "app/run/tool_asker.h"
#include "config/compose/job.h"
#include "os/directory_lock.h"
#include "pipeline/manifest_writer.h"
#include "pipeline/run_plan.h"

namespace ridgeline::app {

struct RunSetup {
  std::unique_ptr<ComposedHere> composed;  // Owns what `job` points into.
  std::unique_ptr<ToolAsker> tools;        // Keeps the answers if the run is moved.
  config::Job job;
  pipeline::RunPlan plan;
  std::string config_yaml;  // The job's configuration, as it is written: no secrets.
  std::string resolved_config_yaml;        // With every interpolation replaced.
  std::optional<std::string> piped_input;  // For the run directory.
};

// Plans a run of a configuration composed with options.hydra. Errors have been printed
// when this returns; only the exit status is returned.
ridgeline::Result<RunSetup, ExitStatus> SetUpRun(std::unique_ptr<ComposedHere> composed,
                                                 const RunOptions& options,
                                                 const Streams& streams);

// The same run in `directory`, because the configured one is taken: sets hydra.run.dir
// in the composed tree and plans again, for all that depends on it.
ridgeline::Result<RunSetup, ExitStatus> MoveRun(RunSetup setup,
                                                const std::string& directory,
                                                const Streams& streams);

// `key='value'`, with whatever `value` holds.
std::string QuotedOverride(const std::string& key, const std::string& value);

// A run to continue.
struct ResumedRun {
  os::DirectoryLock lock;  // Of the run directory, against a concurrent resume.
  RunSetup setup;
  RunOptions options;
  pipeline::ManifestWriter writer;
};

// Fails if the run is finished or still active, or if its configuration or inputs
// changed. Errors have been printed when this returns.
ridgeline::Result<ResumedRun, ExitStatus> PrepareResume(const RunOptions& options,
                                                        const Streams& streams);

// A finished run whose directory gets further stages.
struct JoinedRun {
  os::DirectoryLock lock;
  pipeline::ManifestWriter writer;
};

// For a run directory that belongs to a finished run: the stages of `setup` are added to
// it if it has none of them and the program, device and data are the same, or with
// run.join=true. Empty: the run gets its own directory.
ridgeline::Result<std::optional<JoinedRun>, ExitStatus> PrepareJoin(
    RunSetup& setup, const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
