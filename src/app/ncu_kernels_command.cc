#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/ncu_kernels/kernel_list.h"
#include "app/ncu_kernels/options.h"
#include "app/ncu_kernels/profile_kernels.h"
#include "app/ncu_kernels/run_plan.h"
#include "app/run/tool_asker.h"
#include "app/version.h"
#include "base/plural.h"
#include "hardware/gpu.h"
#include "os/atomic_directory.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/signal_watch.h"

namespace ridgeline::app {
namespace {

constexpr const char* kCommandFile = "command.yaml";

os::DirectoryMarker NcuKernelsMarker() { return {kCommandFile, kScriptLine}; }

// Limits for printed kernel lists.
constexpr size_t kMaxNames = 5;
constexpr size_t kMaxName = 100;

void PrintNcuKernelsUsage(std::ostream& out) {
  out << "ridgeline ncu-kernels (--kernel-config YAML | --kernel-regex RE) [flags] -- "
         "CMD...\n"
         "  Profiles selected kernels of a command with Nsight Compute and writes one\n"
         "  directory per kernel. The default sections are those of the preset\n"
         "  ncu.default: SpeedOfLight, MemoryWorkloadAnalysis, Occupancy, "
         "SchedulerStats.\n";
  out << FlagsHelp(NcuKernelsFlags());
  out << "\n"
         "Output of the command goes to stderr. Exit codes: 0 all kernels profiled; 1 "
         "some\n"
         "were not, or the command or ncu failed; 2 bad usage, nothing started; 126, "
         "127\n"
         "ncu or the command cannot be started, was not found.\n";
}

Result<std::vector<ChosenKernel>> KernelsOf(const NcuKernelsOptions& options) {
  if (options.kernel_config.empty()) return KernelsOfRegexes(options.regexes);
  RIDGELINE_TRY(const std::string yaml, os::ReadFile(options.kernel_config));
  RIDGELINE_TRY(std::vector<ChosenKernel> kernels,
                ReadKernelList(yaml, options.kernel_config));
  if (options.top && *options.top < kernels.size()) kernels.resize(*options.top);
  return kernels;
}

std::string OutputDirectory(const NcuKernelsOptions& options) {
  if (!options.output_dir.empty()) return options.output_dir;
  return os::FormatTime(os::Now(), "tmp/ncu-profile/%Y%m%d-%H%M%S");
}

Status CheckOutput(const std::string& directory, const NcuKernelsOptions& options) {
  // A mistyped path must not replace a home directory, even with --force-overwrite.
  if (options.force_overwrite || !os::IsDirectory(directory)) {
    return os::CheckReplaceable(directory, NcuKernelsMarker());
  }
  RIDGELINE_TRY(const auto entries, os::ListDirectory(directory));
  if (entries.empty()) return Ok();
  return Error(ErrorCode::kConfig, directory +
                                       ": directory is not empty\nhint: choose another "
                                       "--output-dir, or pass --force-overwrite");
}

// Checked first: ncu's own message for a missing program is ambiguous.
Status CheckPrograms(const NcuKernelsOptions& options) {
  RIDGELINE_TRY(const auto ncu, os::FindProgram("ncu"));
  const os::Command command = {
      .argv = options.application, .environment = {}, .directory = {}};
  RIDGELINE_TRY(const auto application, os::FindProgram(command));
  return Ok();
}

void PrintPlan(const NcuKernelsOptions& options, const KernelsJob& job,
               const std::vector<std::string>& missing, const stages::NcuFacts& facts,
               std::ostream& err) {
  if (!missing.empty()) {
    std::string names;
    for (const std::string& section : missing) {
      names += (names.empty() ? "" : ", ") + section;
    }
    err << "ridgeline: warning: " << facts.Name() << " has no section " << names
        << "; skipped\n";
  }
  const size_t kernels = job.kernels.size();
  if (job.mode == RunMode::kRunPerKernel && !options.run_per_kernel && kernels > 1) {
    err << "ridgeline: note: " << facts.Name()
        << " cannot count launches per kernel: using one run per kernel\n";
  }
  const size_t runs =
      PlanRuns(job.kernels, EveryKernel(job.kernels), job.launches, job.mode).size();
  err << fmt::format("ridgeline: {} in {} of the application\n",
                     Plural(kernels, "kernel"), Plural(runs, "run"));
}

std::string MissingNames(const KernelsJob& job, const ProfiledKernels& profiled) {
  std::string text = "\nnot profiled:";
  size_t told = 0;
  for (size_t i = 0; i < job.kernels.size() && told < kMaxNames; ++i) {
    if (profiled.is_profiled[i]) continue;
    const std::string& name = job.kernels[i].name;
    const bool is_long = name.size() > kMaxName;
    text += fmt::format("\n  {:>4}  {}{}", i + 1, name.substr(0, kMaxName),
                        is_long ? "..." : "");
    ++told;
  }
  const size_t missing = job.kernels.size() - profiled.Count();
  if (missing > told) text += fmt::format("\n  and {} more", missing - told);
  return text;
}

// Possible reasons for missing kernels; not needed if the application failed.
std::string Advice(const NcuKernelsOptions& options, const KernelsJob& job,
                   const ProfiledKernels& profiled) {
  if (profiled.application_exit_code) return "";
  const bool has_driver =
      hardware::SurveyGpus().outcome != hardware::GpuSurvey::Outcome::kNoDriver;
  if (profiled.Count() == 0 && !has_driver) {
    return ": no NVIDIA GPU on this machine (no driver)";
  }
  std::string advice = ": ";
  if (options.skip > 0) {
    advice += options.skip == 1
                  ? "the first launch of each kernel is skipped"
                  : fmt::format("the first {} launches of each kernel are skipped",
                                options.skip);
    advice += " (try --num-kernel-call-skip 0); ";
  }
  if (options.skip > 0 && job.mode == RunMode::kOneRun && job.kernels.size() > 1) {
    advice += "launches are counted per grid size unless --run-per-kernel is given; ";
  }
  return advice + "kernel names must match this GPU and library versions";
}

// Reports failures and missing kernels; kDone if there are none.
ExitStatus ReportEnd(const NcuKernelsOptions& options, const KernelsJob& job,
                     const ProfiledKernels& profiled, const Streams& streams) {
  const size_t count = profiled.Count();
  if (profiled.application_exit_code) {
    streams.err << fmt::format(
        "ridgeline: the application failed: exit code {}{}\n",
        *profiled.application_exit_code,
        count > 0 ? "; kernels profiled before that are kept" : "");
  }
  if (count < job.kernels.size()) {
    const std::string how_many =
        count == 0
            ? "no kernel was profiled"
            : PartOf(job.kernels.size() - count, job.kernels.size(), "kernel") +
                  (job.kernels.size() - count == 1 ? " was" : " were") + " not profiled";
    streams.err << "ridgeline: " << how_many << Advice(options, job, profiled)
                << MissingNames(job, profiled) << '\n';
  }
  const bool good = !profiled.application_exit_code && count == job.kernels.size();
  return good ? ExitStatus::kDone : ExitStatus::kFailed;
}

Status Keep(const NcuKernelsOptions& options, const CommandFacts& facts,
            const KernelsJob& job, const ProfiledKernels& profiled,
            os::AtomicDirectory& directory) {
  RIDGELINE_RETURN_IF_ERROR(os::WriteText(directory.path() / kCommandFile,
                                          CommandYaml(facts, options, job, profiled)));
  return directory.Commit();
}

Result<ExitStatus> Profile(const NcuKernelsOptions& options, const Streams& streams) {
  KernelsJob job;
  RIDGELINE_TRY(job.kernels, KernelsOf(options));
  CommandFacts facts = {.timestamp = os::Timestamp(),
                        .version = std::string(Version()),
                        .ncu_version = {},
                        .output_dir = OutputDirectory(options)};
  RIDGELINE_RETURN_IF_ERROR(CheckOutput(facts.output_dir, options));
  if (const Status programs = CheckPrograms(options); !programs.ok()) {
    Fail(streams, programs.error());
    return programs.error().code() == ErrorCode::kNotFound ? ExitStatus::kProgramMissing
                                                           : ExitStatus::kCannotStart;
  }
  const os::SignalWatch signals;
  ToolAsker tools;
  const stages::NcuFacts ncu = stages::AskNcu(tools, /*with_metrics=*/false);
  facts.ncu_version = ncu.version;
  std::vector<std::string> missing;
  job.sections = KnownSections(options.sections, ncu, missing);
  job.application = options.application;
  job.launches = {.skip = options.skip, .count = options.count};
  const bool share = !options.run_per_kernel && CanShareRuns(ncu);
  job.mode = share ? RunMode::kOneRun : RunMode::kRunPerKernel;
  PrintPlan(options, job, missing, ncu, streams.err);
  RIDGELINE_TRY(os::AtomicDirectory directory,
                os::AtomicDirectory::Make(facts.output_dir, NcuKernelsMarker()));
  job.directory = directory.path();
  os::SystemProcessRunner processes(&signals);
  const Result<ProfiledKernels> profiled = ProfileKernels(job, processes, streams.err);
  if (signals.first()) {
    streams.err << "ridgeline: interrupted; nothing was written\n";
    return static_cast<ExitStatus>(ExitCodeOfSignal(*signals.first()));
  }
  if (!profiled.ok()) return profiled.error();
  const ExitStatus status = ReportEnd(options, job, profiled.value(), streams);
  if (profiled.value().Count() == 0) return status;
  RIDGELINE_RETURN_IF_ERROR(Keep(options, facts, job, profiled.value(), directory));
  streams.out << fmt::format(
      "{} profiled: {}\n", PartOf(profiled.value().Count(), job.kernels.size(), "kernel"),
      facts.output_dir);
  return status;
}

}  // namespace

ExitStatus NcuKernelsCommand(std::span<const std::string> arguments,
                             const Streams& streams) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const Result<ParsedFlags> flags =
      ParseFlags(NcuKernelsFlags(), {arguments.begin(), dashes});
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintNcuKernelsUsage(streams.out);
    return ExitStatus::kDone;
  }
  std::vector<std::string> application;
  if (dashes != arguments.end()) application.assign(dashes + 1, arguments.end());
  const Result<NcuKernelsOptions> options =
      ReadNcuKernelsOptions(flags.value(), std::move(application));
  if (!options.ok()) return Fail(streams, options.error());
  const Result<ExitStatus> status = Profile(options.value(), streams);
  return status.ok() ? status.value() : Fail(streams, status.error());
}

}  // namespace ridgeline::app
