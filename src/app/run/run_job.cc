#include "app/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <ostream>

#include "app/command_support.h"
#include "app/run/past_kernels.h"
#include "app/run/run_files.h"
#include "app/run/run_printer.h"
#include "app/run/run_setup.h"
#include "app/run/workload_input.h"
#include "base/plural.h"
#include "config/tree/select.h"
#include "config/value/python_text.h"
#include "hardware/gpu.h"
#include "os/clock.h"
#include "os/directory_lock.h"
#include "os/env.h"
#include "os/files.h"
#include "os/last_will.h"
#include "os/signal_watch.h"
#include "pipeline/runner.h"
#include "ranks/launcher.h"
#include "runs/run_reports.h"

namespace ridgeline::app {
namespace {

using artifacts::RunDir;
using artifacts::State;

std::unique_ptr<pipeline::RunObserver> MakeObserver(const RunOptions& options,
                                                    const Streams& streams) {
  if (options.json) return std::make_unique<EventStream>(streams.out);
  return std::make_unique<RunPrinter>(
      streams.err,
      RunPrinter::Style{options.verbosity, os::TerminalColumns(os::Stream::kError)});
}

// Whether any stage runs the workload; others only need its shapes.
bool IsStarted(const pipeline::RunPlan& plan) {
  return std::any_of(plan.stages.begin(), plan.stages.end(), [](const auto& stage) {
    return stage.enabled && !stage.plan.commands.empty();
  });
}

// Whether any stage runs the model on its device. Static analysis counts operators on the
// CPU and only looks up the ceilings of the device.
bool UsesDevice(const pipeline::RunPlan& plan) {
  return plan.workload->IsModel() &&
         std::any_of(plan.stages.begin(), plan.stages.end(), [](const auto& stage) {
           return stage.enabled && !stage.plan.commands.empty() &&
                  stage.name != "static_analysis";
         });
}

// Problem with the configured device; empty: none visible from here.
std::string DeviceProblem(const RunSetup& setup) {
  const config::Result<config::Node*> node =
      config::Select(setup.composed->workspace, *setup.job.config, "device");
  if (!node.ok() || node.value() == nullptr || !node.value()->is_scalar()) return "";
  const std::string device = config::Str(node.value()->value);
  if (!device.starts_with("cuda") || !UsesDevice(setup.plan)) return "";
  const hardware::GpuSurvey survey = hardware::SurveyGpus();
  if (survey.outcome == hardware::GpuSurvey::Outcome::kFound) return "";
  return fmt::format(
      "device={}: no GPU ({})\nhint: set device=cpu, or see `ridgeline doctor`", device,
      survey.reason);
}

// What would make every stage fail on this machine.
std::vector<Error> Obstacles(const RunSetup& setup, const RunOptions& options) {
  std::vector<Error> obstacles;
  const pipeline::Workload& workload = *setup.plan.workload;
  const std::string missing = workload.Unavailable();
  if (!missing.empty() && IsStarted(setup.plan)) {
    obstacles.emplace_back(ErrorCode::kUnsupported, missing);
  }
  const std::string problem = DeviceProblem(setup);
  if (!problem.empty()) obstacles.emplace_back(ErrorCode::kUnsupported, problem);
  const auto inputs = workload.Inputs();
  if (!inputs.ok()) {
    const std::string& why = inputs.error().message();
    obstacles.emplace_back(inputs.error().code(),
                           options.has_command ? WithoutCommandKey(why) : why);
  }
  return obstacles;
}

ExitStatus PrintPlan(const RunSetup& setup, const RunOptions& options,
                     const Streams& streams) {
  const RunDir run_dir(setup.job.output_directory);
  if (options.json) {
    streams.out << ToJson(NewManifest(setup, options, run_dir));
    return ExitStatus::kDone;
  }
  streams.out << ToText(setup.plan, run_dir);
  for (const Error& obstacle : Obstacles(setup, options)) {
    streams.out << "\ncannot start yet: " << obstacle.message() << '\n';
  }
  return ExitStatus::kDone;
}

// Obstacles are reported before the first stage starts, all at once.
ridgeline::Result<std::monostate, ExitStatus> CheckWorkload(const RunSetup& setup,
                                                            const RunOptions& options,
                                                            const Streams& streams) {
  const std::vector<Error> obstacles = Obstacles(setup, options);
  ExitStatus failed = ExitStatus::kDone;
  for (const Error& obstacle : obstacles) failed = Fail(streams, obstacle);
  if (!obstacles.empty()) return failed;
  const pipeline::Workload& workload = *setup.plan.workload;
  if (!workload.Unavailable().empty()) return Ok();
  Result<std::filesystem::path> program = os::FindProgram(
      workload.Program({setup.job.output_directory, setup.job.output_directory}));
  const char* key = "pipeline.workload.command: ";
  if (program.ok() && workload.ranks() != nullptr) {
    const std::string launcher = ranks::ProgramOf(*workload.ranks());
    if (!launcher.empty()) program = os::FindProgram(launcher);
    key = "pipeline.workload.ranks.launcher: ";
  }
  if (program.ok()) return Ok();
  const bool absent = program.error().code() == ErrorCode::kNotFound;
  const std::string why = key + program.error().message();
  streams.err << "ridgeline: " << (options.has_command ? WithoutCommandKey(why) : why)
              << '\n';
  return absent ? ExitStatus::kProgramMissing : ExitStatus::kCannotStart;
}

// Sets the parity of a run: failed if failed in any stage, passed if passed in some.
// Returns the first stage that failed.
const artifacts::StageRecord* TakeParity(artifacts::Manifest& manifest) {
  manifest.parity = artifacts::Parity::kNotChecked;
  const artifacts::StageRecord* differing = nullptr;
  for (const artifacts::StageRecord& stage : manifest.stages) {
    // kFailed is the largest value.
    manifest.parity = std::max(manifest.parity, stage.parity);
    const bool differs = stage.parity == artifacts::Parity::kFailed;
    if (differs && differing == nullptr) differing = &stage;
  }
  return differing;
}

// Why a run without failures has no results, or fewer than run.on_skip=fail requires;
// empty: it has all of them.
std::string WhatWasSkipped(const artifacts::Manifest& manifest,
                           const std::string& on_skip) {
  int done = 0;
  std::vector<std::string> skipped;
  std::string hint;
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state == State::kDone) ++done;
    if (stage.state == State::kSkipped) skipped.push_back(stage.name);
    if (stage.name == "direct_inference" && stage.state == State::kDisabled) {
      hint = " (pipeline.direct_inference.enable=true measures any program)";
    }
  }
  if (done == 0 && skipped.empty()) return "nothing to do: no stage is enabled";
  if (skipped.empty() || (done > 0 && on_skip != "fail")) return "";
  return fmt::format("{}skipped: {}{}", done == 0 ? "nothing was measured; " : "",
                     fmt::join(skipped, ", "), done == 0 ? hint : "");
}

// Exit code of the first failed program of a failed stage; nullopt: none failed.
std::optional<int> ExitCodeOfWorkload(const artifacts::Manifest& manifest) {
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state != State::kFailed) continue;
    for (const artifacts::ProcessRecord& process : stage.processes) {
      const bool failed = process.exit_code.value_or(0) != 0 && !process.timed_out;
      if (failed) return process.exit_code;
    }
  }
  return std::nullopt;
}

// Outcome of the run, also recorded in its manifest.
ExitStatus Classify(const pipeline::RunOutcome& end, const std::string& on_skip,
                    artifacts::Manifest& manifest) {
  int code = 0;
  if (end.interrupted_by) {
    manifest.state = State::kInterrupted;
    manifest.reason = fmt::format("signal {}", *end.interrupted_by);
    code = ExitCodeOfSignal(*end.interrupted_by);
  } else if (end.failed_stages > 0) {
    manifest.state = State::kFailed;
    const auto enabled =
        std::count_if(manifest.stages.begin(), manifest.stages.end(),
                      [](const auto& stage) { return stage.state != State::kDisabled; });
    manifest.reason = PartOf(end.failed_stages, enabled, "stage") + " failed";
    code = static_cast<int>(!end.could_not_start ? ExitStatus::kFailed
                            : *end.could_not_start == ErrorCode::kCannotStart
                                ? ExitStatus::kCannotStart
                                : ExitStatus::kProgramMissing);
  } else {
    manifest.state = State::kDone;
  }
  const std::string skipped = WhatWasSkipped(manifest, on_skip);
  if (code == 0 && !skipped.empty()) {
    manifest.reason = skipped;
    code = static_cast<int>(ExitStatus::kRefused);
  }
  const artifacts::StageRecord* differing = TakeParity(manifest);
  if (differing != nullptr && code == 0) {
    manifest.reason = "output differs from the reference (parity failed); see " +
                      differing->directory + "/parity.json";
    code = static_cast<int>(ExitStatus::kRefused);
  }
  manifest.exit_code = code;
  manifest.ended = os::Timestamp();
  return static_cast<ExitStatus>(code);
}

std::string OnSkip(const RunSetup& setup) {
  config::Result<config::Node*> node =
      config::Select(setup.composed->workspace, *setup.job.config, "run.on_skip");
  const bool given = node.ok() && node.value() != nullptr;
  return given ? config::Str(node.value()->value) : "warn";
}

// From here on the run has a directory, and all failures are recorded in its manifest.
Result<ExitStatus> Execute(const RunSetup& setup, const RunOptions& options,
                           pipeline::ManifestWriter& writer, const Streams& streams) {
  const RunDir& run_dir = writer.run_dir();
  RIDGELINE_TRY(const os::LastWill will,
                os::LastWill::Make(run_dir.killed_manifest(), run_dir.manifest()));
  const os::SignalWatch signals;
  os::SystemProcessRunner processes(&signals);
  artifacts::Manifest& manifest = writer.manifest();
  manifest.state = State::kRunning;
  manifest.reason.clear();
  manifest.exit_code.reset();
  manifest.started = os::Timestamp();
  manifest.ended.clear();
  RIDGELINE_RETURN_IF_ERROR(writer.Begin());
  const std::unique_ptr<pipeline::RunObserver> observer = MakeObserver(options, streams);
  observer->RunStarted(manifest);
  RIDGELINE_RETURN_IF_ERROR(
      WriteRunFiles(setup, run_dir, manifest.earlier_commands.size() + 1, processes));
  RIDGELINE_RETURN_IF_ERROR(os::ChangeDirectory(setup.job.working_directory));

  runs::RunProfiles profiles;
  PastKernels past(manifest, run_dir, profiles);
  RIDGELINE_TRY(
      const pipeline::RunOutcome end,
      pipeline::RunStages(setup.plan, {processes, *observer, &signals, &past}, writer));
  RIDGELINE_RETURN_IF_ERROR(RecordOutputs(run_dir, manifest.earlier_commands.size() + 1));
  ExitStatus status = Classify(end, OnSkip(setup), manifest);
  if (options.has_command && status == ExitStatus::kFailed) {
    // The same exit code as without ridgeline.
    manifest.exit_code = ExitCodeOfWorkload(manifest).value_or(*manifest.exit_code);
    status = static_cast<ExitStatus>(*manifest.exit_code);
  }
  RIDGELINE_TRY(const std::string summary,
                runs::WriteReports(manifest, run_dir, profiles));
  RIDGELINE_RETURN_IF_ERROR(writer.Finish());
  os::RemoveEmptyDirectories(run_dir.scratch());
  observer->RunEnded(manifest);
  if (!options.json && options.verbosity != RunOptions::Verbosity::kQuiet) {
    streams.err << summary
                << fmt::format("  {:<22} {}\n", "report", run_dir.report_html().string());
  }
  if (!options.json) streams.out << run_dir.root().string() << '\n';
  return status;
}

// The C++ library throws when out of memory or threads; record that in the manifest, too.
Result<ExitStatus> ExecuteWithoutException(const RunSetup& setup,
                                           const RunOptions& options,
                                           pipeline::ManifestWriter& writer,
                                           const Streams& streams) {
  try {
    return Execute(setup, options, writer, streams);
  } catch (const std::exception& e) {
    return ErrorOf(e);
  }
}

// A running stage failed for the same reason as the run; pending ones are skipped.
void EndStages(artifacts::Manifest& manifest) {
  for (artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state == State::kRunning) {
      stage.state = State::kFailed;
      stage.reason = manifest.reason;
    } else if (stage.state == State::kPending) {
      stage.state = State::kSkipped;
      stage.reason = "not started: the run failed before";
    }
  }
}

ExitStatus ExecuteOrFail(const RunSetup& setup, const RunOptions& options,
                         pipeline::ManifestWriter& writer, const Streams& streams) {
  Result<ExitStatus> status = ExecuteWithoutException(setup, options, writer, streams);
  if (status.ok()) return status.value();
  // If the disk is full, the manifest may not be written; stderr is.
  artifacts::Manifest& manifest = writer.manifest();
  manifest.state = State::kFailed;
  manifest.reason = status.error().message();
  manifest.exit_code = static_cast<int>(ExitStatus::kFailed);
  EndStages(manifest);
  const Status written = writer.Finish();
  Fail(streams, status.error());
  if (!written.ok()) Fail(streams, written.error());
  return ExitStatus::kFailed;
}

// Names that a run writes in addition to those of RunDir: stages, Hydra's files and
// outputs.
std::vector<std::string> NamesInRunDir(const RunSetup& setup) {
  std::vector<std::string> names;
  for (const pipeline::PlannedStage& stage : setup.plan.stages) {
    names.push_back(stage.name);
  }
  for (const auto& [name, text] : setup.job.files) names.push_back(name);
  for (std::string& name : setup.plan.workload->NamesInRunDir()) {
    names.push_back(std::move(name));
  }
  return names;
}

// Notes the real path if the run directory is a symbolic link.
void NoteLink(const std::filesystem::path& wanted, const std::string& claimed,
              const Streams& streams) {
  const std::filesystem::path link =
      wanted.has_filename() ? wanted : wanted.parent_path();
  if (!os::IsLink(link) || claimed == link) return;
  const Result<std::filesystem::path> target = os::RealPath(link);
  if (!target.ok() || target.value() != claimed) return;  // Used by another run.
  streams.err << "ridgeline: note: " << link.string()
              << " is a symbolic link; the run is in " << claimed << '\n';
}

}  // namespace

ExitStatus RunJob(std::unique_ptr<ComposedHere> composed, const RunOptions& options,
                  const Streams& streams) {
  auto setup = SetUpRun(std::move(composed), options, streams);
  if (!setup.ok()) return setup.error();
  if (options.dry_run) return PrintPlan(setup.value(), options, streams);
  const auto startable = CheckWorkload(setup.value(), options, streams);
  if (!startable.ok()) return startable.error();
  auto input = TakeInput(options, streams);
  if (!input.ok()) return Fail(streams, input.error());
  setup.value().piped_input = std::move(input).value();

  auto joined = PrepareJoin(setup.value(), options, streams);
  if (!joined.ok()) return joined.error();
  if (joined.value()) {
    return ExecuteOrFail(setup.value(), options, joined.value()->writer, streams);
  }
  const std::string wanted = setup.value().job.output_directory;
  // Until the run is marked as running, its manifest counts it as killed.
  Result<RunDir> run_dir = artifacts::ClaimRunDir(
      wanted, NamesInRunDir(setup.value()), [&](const RunDir& claimed) {
        return ToJson(artifacts::AsKilled(NewManifest(setup.value(), options, claimed)));
      });
  if (!run_dir.ok()) return Fail(streams, run_dir.error());
  const std::string claimed = run_dir.value().root().string();
  NoteLink(wanted, claimed, streams);
  const auto lock = os::DirectoryLock::Try(claimed);
  if (!lock.ok()) return Fail(streams, lock.error());
  if (!lock.value()) {
    return Fail(streams, Error(ErrorCode::kConfig,
                               claimed + ": another process already resumed this run"));
  }
  if (claimed != wanted) {
    setup = MoveRun(std::move(setup).value(), claimed, streams);
    if (!setup.ok()) return setup.error();
  }
  pipeline::ManifestWriter writer(run_dir.value(),
                                  NewManifest(setup.value(), options, run_dir.value()));
  return ExecuteOrFail(setup.value(), options, writer, streams);
}

ExitStatus ResumeJob(const RunOptions& options, const Streams& streams) {
  auto resumed = PrepareResume(options, streams);
  if (!resumed.ok()) return resumed.error();
  return ExecuteOrFail(resumed.value().setup, resumed.value().options,
                       resumed.value().writer, streams);
}

}  // namespace ridgeline::app
