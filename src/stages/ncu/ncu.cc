#include "stages/ncu/ncu.h"

#include <fmt/format.h>

#include <cmath>

#include "base/plural.h"
#include "hardware/gpu.h"
#include "hardware/permissions.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "pipeline/stage_context.h"
#include "profiles/formats.h"
#include "ranks/launcher.h"
#include "stages/ncu/command.h"
#include "stages/shared/capture_limits.h"
#include "stages/shared/model_end.h"
#include "stages/shared/python_run.h"
#include "stages/shared/workload_output.h"

namespace ridgeline::stages {
namespace {

std::string ReportOf(const NcuJob& job) { return job.base + ".ncu-rep"; }
std::string RawPageOf(const NcuJob& job) { return "raw" + job.suffix + ".csv"; }

// Number of launches (or ranges) that our own reader finds in a report or raw page.
// Errors name the file by its path in the run directory.
Result<size_t> LaunchesIn(const std::filesystem::path& directory,
                          const std::string& file) {
  const std::filesystem::path path = directory / file;
  const Result<profiles::Profile> profile =
      profiles::OpenProfile(path, {}, {profiles::Tool::kNcu});
  if (profile.ok()) {
    return std::get<results::NcuRows>(profile.value().rows).launches.size();
  }
  std::string message = profile.error().message();
  if (message.starts_with(path.string()))
    message.replace(0, path.string().size(), "ncu/" + file);
  return Error(profile.error().code(), message);
}

// "", "_rerun", "_rerun2", ...: part of the names of logs and command files.
std::string AttemptName(size_t number) {
  if (number == 0) return "";
  return number == 1 ? "_rerun" : fmt::format("_rerun{}", number);
}

// Sections and metrics of the report, one per line.
std::string SectionsText(const NcuOptions& options) {
  std::string text = options.set.empty() ? "" : "set " + options.set + "\n";
  for (const std::string& section : options.sections) text += section + "\n";
  for (const std::string& metric : options.metrics) text += "metric " + metric + "\n";
  return text;
}

constexpr std::string_view kEmptyReport =
    "no kernels profiled: the report has no launches";

// Why no kernel can run here, so that no filter is to blame; empty: there is a GPU, or
// ncu wrote a report. Ranks may be on other machines.
std::string WhyNoGpu(const NcuRuns& runs, const pipeline::Workload& workload) {
  using Outcome = hardware::GpuSurvey::Outcome;
  if (runs.failure->cause == kEmptyReport || workload.ranks() != nullptr) return "";
  const Outcome outcome = hardware::SurveyGpus().outcome;
  if (outcome == Outcome::kFound) return "";
  return outcome == Outcome::kNoDriver ? "no driver" : "the driver finds none";
}

// For runs without a usable report.
std::string FailureText(const NcuRuns& runs, const pipeline::Workload& workload) {
  if (!runs.FoundNoKernels()) return runs.failure->ToString();
  if (const std::string why = WhyNoGpu(runs, workload); !why.empty()) {
    return fmt::format("{}: no NVIDIA GPU on this machine ({}): ncu profiled no kernels",
                       Name(NcuVerdict::kNoKernels), why);
  }
  std::string text = runs.failure->ToString();
  if (!runs.dropped.empty()) {
    text += fmt::format("; none either without {}", fmt::join(runs.dropped, ", "));
  }
  return text;
}

// "at most 600 launches are profiled: 20 per kernel x 30 kernels (...)"
std::string SampledText(const NcuOptions& options) {
  const int64_t launches = *options.sampled_launches;
  const std::string text =
      fmt::format("at most {} profiled",
                  launches == 1 ? "1 launch is" : Plural(launches, "launch") + " are");
  if (launches < options.top_kernels * *options.launches_per_kernel) {
    return text + ": as many as fit in pipeline.ncu.timeout_s";
  }
  return fmt::format(
      "{}: {} per kernel x {} (pipeline.ncu.plan.launches_per_kernel, run.top_n_kernels)",
      text, *options.launches_per_kernel, Plural(options.top_kernels, "kernel"));
}

// Other workloads than the built-in model may have no such range; empty: not needed.
std::string DefaultRangeNote(const NcuOptions& options,
                             const pipeline::Workload& workload) {
  if (workload.IsModel() || !options.IsGated() || !options.has_default_include) return "";
  return "only kernels inside range decode (pipeline.ncu.ncu_cli.nvtx.include=null: "
         "everywhere)";
}

}  // namespace

pipeline::PlannedCommand Ncu::CommandOf(const pipeline::StagePlace& place,
                                        const NcuJob& job,
                                        const std::string& attempt) const {
  pipeline::PlannedCommand planned = {
      .purpose = "ncu",
      .command = {},
      .log = "workload" + attempt + job.suffix + ".log",
      .output = {},
      .second_log = "ncu" + attempt + job.suffix + ".log",
      .command_file = "cmd" + attempt + job.suffix + ".txt"};
  const auto under_ncu = [&](const os::Command& workload, const std::string& suffix) {
    // At most one rank is profiled, so only its logs have a number.
    os::Command command =
        BuildNcuCommand(job.options, facts_, workload, place.directory / job.base)
            .command;
    std::filesystem::path log = place.directory / planned.second_log;
    if (!suffix.empty()) log.replace_extension(suffix + ".log");
    // Separates the workload's output from ncu's messages.
    command.argv.insert(command.argv.begin() + 1, {"--log-file", log.string()});
    return command;
  };
  return pipeline::PlanWorkload(place, place.ForCapture(options_.limits), planned,
                                under_ncu);
}

pipeline::StagePlan Ncu::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  plan.tools = {"ncu"};
  plan.needs_private_temporary = true;
  plan.shared_temporaries = {"nsight-compute-lock"};  // One ncu at a time on a GPU.
  plan.writes = {"run*.ncu-rep", "cmd*.txt", "*.log", "sections.txt",
                 "sections_report*.txt"};
  if (options_.export_csv) plan.writes.emplace_back("raw*.csv");
  NcuOptions planned = options_;
  if (!ReplaysRanges(planned)) {
    planned.sampled_launches = SampledLaunches({}, planned, Passes());
  }
  for (const NcuJob& job : JobsOf(planned, {})) {
    plan.commands.push_back(CommandOf(place, job));
  }
  const NcuCommand built = BuildNcuCommand(options_, facts_, {}, {});
  plan.assumptions = built.changes;
  if (!facts_.unanswered.empty()) {
    plan.assumptions.push_back(facts_.unanswered + "; assuming a current ncu");
  }
  plan.skip = built.impossible;
  plan.assumptions.push_back(
      fmt::format("about {} per launch", Plural(Passes(), "replay pass")));
  if (options_.kernel_name.empty() && !ReplaysRanges(options_)) {
    plan.assumptions.push_back(
        options_.kernel_config.empty()
            ? fmt::format("kernels: top {} of the nsys stage of this run "
                          "(--kernel-name), or all if it has none or is off",
                          options_.top_kernels)
            : "kernels: from " + options_.kernel_config.string());
  }
  if (std::string note = LimitsNote("ncu", place.workload, options_.limits);
      !note.empty()) {
    plan.assumptions.push_back(std::move(note));
  }
  if (std::string note = DefaultRangeNote(options_, place.workload); !note.empty()) {
    plan.assumptions.push_back(std::move(note));
  }
  if (place.workload.ranks() != nullptr) {
    plan.assumptions.emplace_back(
        "a collective replayed by ncu waits forever for the other ranks: exclude such "
        "kernels (ncu_cli.kernel_exclude)");
  }
  if (planned.sampled_launches) {
    plan.assumptions.push_back(SampledText(planned));
  }
  if (hardware::MayReadGpuCounters(hardware::ReadPermissions()) == false) {
    plan.skip =
        "PermissionDenied: GPU performance counters are restricted to administrators; " +
        CounterPermissionFix();
  }
  return plan;
}

int64_t Ncu::Passes() const {
  const bool is_default =
      options_.set.empty() && options_.sections.empty() && options_.metrics.empty();
  const char* const own = facts_.set_metrics.contains("default") ? "default" : "basic";
  return facts_.EstimatedPasses(is_default ? own : options_.set, options_.sections.size(),
                                options_.metrics.size());
}

Result<NcuSelection> Ncu::Select(pipeline::StageContext& context) const {
  if (!options_.kernel_name.empty() || ReplaysRanges(options_)) return NcuSelection();
  std::vector<pipeline::KernelTime> kernels;
  if (!options_.kernel_config.empty()) {
    RIDGELINE_TRY(const std::string yaml, os::ReadFile(options_.kernel_config));
    RIDGELINE_TRY(kernels, ReadKernelConfig(yaml, options_.kernel_config.string()));
  } else {
    RIDGELINE_TRY(kernels, context.PastKernels(RangesOf(options_)));
  }
  const int64_t passes = Passes();
  RIDGELINE_TRY(NcuSelection selection, SelectKernels(kernels, options_, passes));
  if (selection.filter.empty()) {
    context.Note(kernels.empty() ? "no nsys kernels to select from: profiling all kernels"
                                 : "no kernels left after kernel_exclude and "
                                   "plan.budget_s: profiling all kernels");
    return selection;
  }
  context.Note(
      fmt::format("selected {}, {:.1f} % of kernel time: {}, about "
                  "{} each, about {:.0f} s (kernels.yaml)",
                  PartOf(selection.kernels.size(), kernels.size(), "kernel"),
                  selection.share * 100, Plural(selection.launches, "launch"),
                  Plural(passes, "pass"), selection.estimated_s));
  RIDGELINE_RETURN_IF_ERROR(context.Write("kernels.yaml", SelectionYaml(selection)));
  return selection;
}

Result<NcuOutcome> Ncu::Profile(pipeline::StageContext& context,
                                const pipeline::PlannedCommand& planned,
                                const NcuJob& job) const {
  const std::filesystem::path report = context.place().directory / ReportOf(job);
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(report.parent_path()));
  // A report of the first attempt must not be taken for that of the second.
  RIDGELINE_RETURN_IF_ERROR(context.owned().Remove(report));
  RIDGELINE_RETURN_IF_ERROR(
      context.PrepareWorkload(context.place().ForCapture(options_.limits)));
  RIDGELINE_TRY(os::ProcessResult ran, context.Run(planned));
  std::string own_log = planned.second_log;
  std::string workload_log = planned.log;
  for (const ranks::RankEnd& rank : context.ranks().ranks) {
    if (!rank.record.profiled) continue;
    const ranks::RankEnd* const failed = context.ranks().FirstFailed();
    if (failed != &rank) RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(planned, ran));
    ran = rank.process;
    own_log = ranks::RankFile(own_log, rank.record.rank);
    workload_log = ranks::RankFile(workload_log, rank.record.rank);
  }
  RIDGELINE_RETURN_IF_ERROR(TakeCaptureParity(context));
  RIDGELINE_RETURN_IF_ERROR(LinkWorkloadOutput(context.place()));
  if (options_.RecordsNvtx()) RIDGELINE_RETURN_IF_ERROR(NotePythonCapture(context));
  // ncu opens its log when it starts the workload. Before that, for example when it
  // rejects an argument, it prints to the streams that the workload would have used.
  const std::filesystem::path ncu_log = context.place().directory / own_log;
  RIDGELINE_TRY(
      const std::string log,
      os::ReadFile(os::Exists(ncu_log) ? ncu_log
                                       : context.place().directory / workload_log));
  NcuOutcome outcome = ClassifyNcu(ran, log, os::IsRegularFile(report));
  if (outcome.verdict == NcuVerdict::kTimedOut && options_.timeout_s) {
    outcome.cause += fmt::format(" (pipeline.ncu.timeout_s={:g})", *options_.timeout_s);
  }
  if (outcome.failed()) return outcome;
  return ReadBack(context, job, Export(context, job));
}

Result<NcuRuns> Ncu::Do(pipeline::StageContext& context, const std::vector<NcuJob>& jobs,
                        const std::string& attempt) const {
  NcuRuns runs;
  for (const NcuJob& job : jobs) {
    pipeline::PlannedCommand command = CommandOf(context.place(), job, attempt);
    if (!attempt.empty()) command.purpose = "ncu, rerun";
    RIDGELINE_TRY(NcuOutcome outcome, Profile(context, command, job));
    if (!outcome.failed()) {
      runs.reports.push_back(ReportOf(job));
      continue;
    }
    // Other jobs may succeed: a kernel may not be launched in every range.
    if (!job.suffix.empty()) context.Note(ReportOf(job) + ": " + outcome.ToString());
    runs.failure = std::move(outcome);
    if (runs.failure->verdict != NcuVerdict::kNoKernels) break;
  }
  return runs;
}

Result<NcuRuns> Ncu::DoUntilKernelsAreFound(pipeline::StageContext& context,
                                            const NcuOptions& options,
                                            const NcuSelection& selection) const {
  const std::vector<NcuAttempt> attempts = AttemptsOf(options, Passes());
  NcuRuns runs;
  for (size_t i = 0; i < attempts.size(); ++i) {
    const NcuAttempt& attempt = attempts[i];
    if (i > 0) {
      context.Note(fmt::format("no kernels profiled; rerun {}/{} without {} (cmd{}.txt)",
                               i, attempts.size() - 1, fmt::join(attempt.dropped, ", "),
                               AttemptName(i)));
    }
    std::vector<std::string> changes;  // Already noted by the plan.
    RIDGELINE_RETURN_IF_ERROR(context.Write(
        "sections.txt", SectionsText(WithoutUnknown(attempt.options, facts_, changes))));
    // If the selection was dropped, there is no run per kernel.
    const bool is_selected = !attempt.options.kernel_name.empty();
    RIDGELINE_TRY(
        runs,
        Do(context, JobsOf(attempt.options, is_selected ? selection : NcuSelection()),
           AttemptName(i)));
    runs.dropped = attempt.dropped;
    if (!runs.FoundNoKernels()) break;
    if (!WhyNoGpu(runs, context.place().workload).empty()) break;
  }
  return runs;
}

Status Ncu::Export(pipeline::StageContext& context, const NcuJob& job) const {
  struct Page {
    const char* name;
    bool as_csv;
    std::string file;
  };
  std::vector<Page> pages = {{"details", false, "sections_report" + job.suffix + ".txt"}};
  if (options_.export_csv) pages.push_back({"raw", true, RawPageOf(job)});
  for (const Page& page : pages) {
    const std::string name = page.name + job.suffix;
    const pipeline::PlannedCommand exported = {
        .purpose = fmt::format("ncu page {}", page.name),
        .command = BuildNcuExport(context.place().directory / ReportOf(job), page.name,
                                  page.as_csv),
        .log = fmt::format("export_{}.log", name),
        .output = page.file,
        .command_file = fmt::format("cmd_export_{}.txt", name)};
    RIDGELINE_TRY(const os::ProcessResult ran, context.Run(exported));
    RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(exported, ran));
  }
  return Ok();
}

// ncu exits with 0 even if a report or a page is empty or damaged.
NcuOutcome Ncu::ReadBack(pipeline::StageContext& context, const NcuJob& job,
                         const Status& exported) const {
  const std::filesystem::path& directory = context.place().directory;
  const Result<size_t> launches = LaunchesIn(directory, ReportOf(job));
  if (launches.ok() && launches.value() == 0) {
    return {NcuVerdict::kNoKernels, std::string(kEmptyReport)};
  }
  // For a format newer than our reader, the raw page can still be read.
  const bool is_newer =
      !launches.ok() && launches.error().code() == ErrorCode::kUnsupported;
  if (!launches.ok() && !(is_newer && options_.export_csv)) {
    return {
        NcuVerdict::kUnreadableReport,
        fmt::format("{}; if ncu can read it, export it: {}", launches.error().message(),
                    BuildNcuExport("ncu/" + ReportOf(job), "raw", /*as_csv=*/true)
                        .ToShellString())};
  }
  if (!exported.ok()) return {NcuVerdict::kExportFailed, exported.error().message()};
  if (!options_.export_csv) return {};
  const Result<size_t> rows = LaunchesIn(directory, RawPageOf(job));
  const size_t expected = launches.ok() ? launches.value() : 1;
  if (!rows.ok() || rows.value() < expected) {
    return {NcuVerdict::kExportFailed,
            fmt::format("{}; the report is kept: repeat the export with "
                        "ncu/cmd_export_raw{}.txt",
                        !rows.ok() ? rows.error().message()
                        : rows.value() == 0
                            ? "ncu/" + RawPageOf(job) + ": no launches"
                            : fmt::format("ncu/{}: {}", RawPageOf(job),
                                          PartOf(rows.value(), expected, "launch")),
                        job.suffix)};
  }
  if (is_newer) context.Note(launches.error().message());
  return {};
}

pipeline::StageOutcome Ncu::Run(pipeline::StageContext& context) {
  Result<NcuSelection> selection = Select(context);
  if (!selection.ok()) return std::move(selection).error();
  if (const auto overrides = OverridesThatFit(selection.value(), options_);
      !overrides.empty()) {
    context.SetOutcome(std::string(Name(NcuVerdict::kPlanTooLong)), overrides);
    return Error(ErrorCode::kTool,
                 fmt::format("PlanTooLong: {} would take about {:.0f} s, more than "
                             "pipeline.ncu.timeout_s={:g}; profile fewer with {}, or set "
                             "pipeline.ncu.timeout_s={:.0f}",
                             Plural(selection.value().launches, "launch"),
                             selection.value().estimated_s, *options_.timeout_s,
                             fmt::join(overrides, " "),
                             std::ceil(selection.value().estimated_s * 1.25)));
  }
  NcuOptions options = options_;
  if (!ReplaysRanges(options)) {
    options.sampled_launches = SampledLaunches(selection.value(), options, Passes());
  }
  if (!selection.value().filter.empty()) {
    options.kernel_name = selection.value().filter;
    options.kernel_name_base = "demangled";
  }
  if (options.IsGated()) {
    for (std::string& note : NvtxTranslations(options.nvtx_include)) {
      context.Note(std::move(note));
    }
  }
  for (std::string note : {LimitsNote("ncu", context.place().workload, options_.limits),
                           DefaultRangeNote(options_, context.place().workload)}) {
    if (!note.empty()) context.Note(std::move(note));
  }
  Result<NcuRuns> ran = DoUntilKernelsAreFound(context, options, selection.value());
  if (!ran.ok()) return std::move(ran).error();
  const NcuRuns& runs = ran.value();
  // Only measured regions keep a directory.
  os::RemoveEmptyDirectories(context.place().directory / "regions");
  const bool is_done = !runs.reports.empty() &&
                       (!runs.failure || runs.failure->verdict == NcuVerdict::kNoKernels);
  context.SetOutcome(
      std::string(Name(is_done ? NcuVerdict::kProfiled : runs.failure->verdict)));
  if (!is_done) {
    return Error(ErrorCode::kTool,
                 FailureText(runs, context.place().workload) + "; see ncu/*.log");
  }
  std::string summary = fmt::format("{}", fmt::join(runs.reports, ", "));
  if (!runs.dropped.empty()) {
    summary += fmt::format(" (without {})", fmt::join(runs.dropped, ", "));
  }
  return pipeline::Done{std::move(summary)};
}

config::Result<std::unique_ptr<pipeline::Stage>> MakeNcu(
    const pipeline::StageConfig& config) {
  RIDGELINE_TRY(NcuOptions options, ReadNcuOptions(config));
  NcuFacts facts = AskNcu(config.tools, /*with_metrics=*/!options.metrics.empty());
  return std::unique_ptr<pipeline::Stage>(
      std::make_unique<Ncu>(std::move(options), std::move(facts)));
}

}  // namespace ridgeline::stages
