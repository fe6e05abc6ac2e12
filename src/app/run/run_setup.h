// From the command line to a plan: makes all decisions and finds all errors that can be
// found before anything is started or written.
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
  std::unique_ptr<ComposedHere> composed;  // Owns the nodes of `job`.
  std::unique_ptr<ToolAsker> tools;        // Keeps its answers if the run is moved.
  config::Job job;
  pipeline::RunPlan plan;
  std::string config_yaml;           // Configuration of the job as written: no secrets.
  std::string resolved_config_yaml;  // With all interpolations resolved.
  std::optional<std::string> piped_input;  // To be written to the run directory.
};

// Plans a run of a configuration composed with options.hydra. Prints errors; returns only
// the exit status.
ridgeline::Result<RunSetup, ExitStatus> SetUpRun(std::unique_ptr<ComposedHere> composed,
                                                 const RunOptions& options,
                                                 const Streams& streams);

// The same run in `directory`, because the configured one is taken: sets hydra.run.dir in
// the composed tree and plans everything that depends on it again.
ridgeline::Result<RunSetup, ExitStatus> MoveRun(RunSetup setup,
                                                const std::string& directory,
                                                const Streams& streams);

// `key='value'`, for any `value`.
std::string QuotedOverride(const std::string& key, const std::string& value);

// A run to be continued.
struct ResumedRun {
  os::DirectoryLock lock;  // On the run directory, against concurrent resumes.
  RunSetup setup;
  RunOptions options;
  pipeline::ManifestWriter writer;
};

// Fails if the run is finished or still active, or if its configuration or inputs
// changed. Prints errors.
ridgeline::Result<ResumedRun, ExitStatus> PrepareResume(const RunOptions& options,
                                                        const Streams& streams);

// A finished run whose directory gets additional stages.
struct JoinedRun {
  os::DirectoryLock lock;
  pipeline::ManifestWriter writer;
};

// For a directory of a finished run: adds the stages of `setup` to it if it has none of
// them and the program, device and data are the same, or with run.join=true. nullopt: the
// run gets its own directory.
ridgeline::Result<std::optional<JoinedRun>, ExitStatus> PrepareJoin(
    RunSetup& setup, const RunOptions& options, const Streams& streams);

}  // namespace ridgeline::app
