#include "stages/nsys/nsys.h"

#include <fmt/format.h>

#include <algorithm>

#include "os/file_tail.h"
#include "os/files.h"
#include "pipeline/stage_context.h"
#include "stages/shared/capture_limits.h"
#include "stages/shared/file_name.h"
#include "stages/shared/model_end.h"
#include "stages/shared/nvtx_dry_run.h"
#include "stages/shared/python_run.h"
#include "stages/shared/workload_output.h"

namespace ridgeline::stages {
namespace {

constexpr std::string_view kBase = "run";

// Log of the workload's output: "workload.log" of "run".
std::string WorkloadLog(const std::string& base) {
  return "workload" + base.substr(kBase.size()) + ".log";
}

// The same command with both of its outputs in `file`. A profiler that starts it prints
// its own messages to the streams that are left, where the workload cannot imitate them.
os::Command WithOutputIn(const std::filesystem::path& file, const os::Command& command) {
  os::Command redirected = command;
  // The shell replaces itself by the program: same process, same exit code.
  redirected.argv = {"/bin/sh", "-c", "exec \"$@\" >\"$0\" 2>&1", file.string()};
  redirected.argv.insert(redirected.argv.end(), command.argv.begin(), command.argv.end());
  return redirected;
}

// Empty: capture_range_end is set, or there is no range.
std::string RangeEndNote(const NsysOptions& options) {
  if (!options.IsGated() || !options.capture_range_end.empty()) return "";
  return "capture_range_end is not set: --capture-range-end is not passed, and nsys "
         "kills "
         "the program at the end of the range; capture_range_end=stop lets it run to its "
         "end";
}

std::string EndOfFile(const std::filesystem::path& path) {
  os::FileTail tail(path);
  std::string end;
  for (std::string part = tail.ReadNew(); !part.empty(); part = tail.ReadNew()) {
    end = std::move(part);
  }
  return end;
}

// Metrics recorded by the model while running under nsys. Its times are compared with the
// NVTX ranges, its token counts with the static cost.
Status KeepWorkloadMetrics(const pipeline::StageContext& context,
                           const std::string& base) {
  const auto path = context.place().workload_scratch / "metrics.json";
  if (!context.place().workload.IsModel() || !os::Exists(path)) return Ok();
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  return context.Write(base + ".metrics.json", text);
}

// "224 NVTX ranges, 1,204 kernels" of all reports together.
std::string Summary(const std::vector<std::string>& reports,
                    const profiles::NsysContents& all) {
  std::string text = fmt::format(
      "{}: {} NVTX range{}, {} kernel{}", fmt::join(reports, ", "), all.nvtx_ranges,
      all.nvtx_ranges == 1 ? "" : "s", all.kernels, all.kernels == 1 ? "" : "s");
  if (all.graphs > 0) text += fmt::format(", {} CUDA graphs", all.graphs);
  return text;
}

void NoteContents(pipeline::StageContext& context, const NsysOptions& options,
                  const profiles::NsysContents& all) {
  if (all.IsEmpty()) {
    context.Note("EmptyReport: the capture contains no traced events");
  } else if (options.Traces("cuda") && !all.HasGpuWork()) {
    context.Note(all.cuda_calls == 0
                     ? "NoKernels: no CUDA calls in the capture"
                     : "NoKernels: CUDA calls, but no GPU work in the capture");
  }
}

void Add(const profiles::NsysContents& some, profiles::NsysContents& all) {
  all.kernels += some.kernels;
  all.graphs += some.graphs;
  all.copies += some.copies;
  all.cuda_calls += some.cuda_calls;
  all.nvtx_ranges += some.nvtx_ranges;
  all.os_calls += some.os_calls;
}

Result<NsysEnd> RunNsys(pipeline::StageContext& context,
                        const pipeline::PlannedCommand& planned, const std::string& base,
                        const pipeline::CaptureLimits& limits) {
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(context.place().ForCapture(limits)));
  NsysEnd end;
  RIDGELINE_TRY(end.process, context.Run(planned));
  RIDGELINE_TRY(const std::string log,
                os::ReadFile(context.place().directory / planned.log));
  end.log = ParseNsysLog(log);
  RIDGELINE_RETURN_IF_ERROR(CountReports(context, base, end));
  return end;
}

// nsys.log -> nsys_attempt1.log, and likewise the workload's.
Status KeepFirstLogs(pipeline::StageContext& context,
                     const pipeline::PlannedCommand& planned) {
  for (const std::string& name : {planned.log, planned.second_log}) {
    const std::filesystem::path log = context.place().directory / name;
    if (!os::Exists(log)) continue;
    const std::filesystem::path kept =
        log.parent_path() / (log.stem().string() + "_attempt1.log");
    RIDGELINE_RETURN_IF_ERROR(context.owned().Move(log, kept));
  }
  return Ok();
}

}  // namespace

std::vector<Nsys::Capture> Nsys::Captures() const {
  if (!options_.WaitsForNvtx()) return {{"", "run"}};
  if (options_.nvtx_capture.size() == 1) return {{options_.nvtx_capture[0], "run"}};
  std::vector<Capture> captures;
  for (const std::string& label : options_.nvtx_capture) {
    std::string base = "run." + AsFileName(label.substr(0, label.rfind('@')));
    // a/b and a:b, or the same label in two domains.
    const auto is_taken = [&base](const Capture& other) { return other.base == base; };
    while (std::any_of(captures.begin(), captures.end(), is_taken)) base += "_";
    captures.push_back({label, base});
  }
  return captures;
}

std::vector<NsysCommand> Nsys::Commands(const pipeline::StagePlace& place) const {
  const os::Command workload =
      place.workload.AsCommand(place.ForCapture(options_.limits));
  std::vector<NsysCommand> commands;
  for (const Capture& capture : Captures()) {
    commands.push_back(BuildNsysCommand(
        options_, facts_, capture.nvtx_capture,
        WithOutputIn(place.directory / WorkloadLog(capture.base), workload),
        place.directory / capture.base));
  }
  return commands;
}

pipeline::StagePlan Nsys::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  plan.tools = {"nsys"};
  plan.needs_private_temporary = true;
  plan.writes = {"run*.nsys-rep", "run*.sqlite", "summary*.csv", "cmd*.txt", "*.log"};
  if (options_.WaitsForNvtx() && options_.nvtx_dry_run) {
    PlanNvtxDryRun(place, options_.limits, plan);
  }
  const std::vector<NsysCommand> commands = Commands(place);
  const std::vector<Capture> captures = Captures();
  for (size_t i = 0; i < commands.size(); ++i) {
    const std::string suffix = captures[i].base.substr(kBase.size());
    plan.commands.push_back({.purpose = "nsys profile",
                             .command = commands[i].command,
                             .log = "nsys" + suffix + ".log",
                             .output = {},
                             .second_log = WorkloadLog(captures[i].base),
                             .command_file = "cmd" + suffix + ".txt"});
  }
  const std::vector<std::string>& changes = commands.front().changes;
  plan.assumptions.insert(plan.assumptions.end(), changes.begin(), changes.end());
  if (!facts_.unanswered.empty()) {
    plan.assumptions.push_back(facts_.unanswered + "; assuming a current nsys");
  }
  plan.skip = commands.front().impossible;
  if (commands.size() > 1) {
    plan.assumptions.push_back(
        fmt::format("nsys captures one NVTX range per run: the workload runs {} times",
                    commands.size()));
  }
  if (const std::string note = RangeEndNote(options_); !note.empty()) {
    plan.assumptions.push_back(note);
  }
  if (std::string note = LimitsNote("nsys", place.workload, options_.limits);
      !note.empty()) {
    plan.assumptions.push_back(std::move(note));
  }
  if (options_.capture_range == "nvtx" && !options_.gating_nvtx) {
    plan.assumptions.push_back(
        "gating_nvtx is false: capture_range=nvtx is ignored and the whole run is "
        "captured");
  }
  return plan;
}

Result<std::vector<std::string>> Nsys::RunCapture(pipeline::StageContext& context,
                                                  const pipeline::PlannedCommand& planned,
                                                  const Capture& capture) {
  RIDGELINE_TRY(NsysEnd end, RunNsys(context, planned, capture.base, options_.limits));
  NsysOutcome outcome = Classify(options_, capture.nvtx_capture, end);
  if (outcome.verdict == NsysVerdict::kToolFailed && !end.process.interrupted_by) {
    // nsys loses one of its own processes now and then, mostly beside another nsys.
    context.Note(outcome.ToString() +
                 "; nsys was started once more (logs of the first "
                 "attempt: *_attempt1.log)");
    RIDGELINE_RETURN_IF_ERROR(KeepFirstLogs(context, planned));
    RIDGELINE_RETURN_IF_ERROR(RemoveReports(context, capture.base));
    RIDGELINE_TRY(end, RunNsys(context, planned, capture.base, options_.limits));
    outcome = Classify(options_, capture.nvtx_capture, end);
  }
  context.SetOutcome(std::string(Name(outcome.verdict)), outcome.retry_overrides);
  if (outcome.failed()) {
    std::string text = outcome.ToString();
    if (outcome.verdict == NsysVerdict::kWorkloadFailed) {
      // Its last line says why; nsys's does not.
      end.process.output = EndOfFile(context.place().directory / planned.second_log);
    }
    const Status ended = context.CheckEnd(planned, end.process);
    if (!ended.ok()) text += " (" + ended.error().message() + ")";
    return Error(ErrorCode::kTool, text);
  }
  if (!outcome.cause.empty()) context.Note(outcome.ToString());
  if (const std::string note = RangeEndNote(options_); !note.empty()) context.Note(note);
  RIDGELINE_RETURN_IF_ERROR(KeepWorkloadMetrics(context, capture.base));
  RIDGELINE_RETURN_IF_ERROR(TakeCaptureParity(context));
  RIDGELINE_RETURN_IF_ERROR(LinkWorkloadOutput(context.place()));
  RIDGELINE_RETURN_IF_ERROR(NotePythonCapture(context));
  Result<std::vector<std::string>> reports = MakeReports(context, capture.base);
  if (!reports.ok()) context.SetOutcome(std::string(Name(NsysVerdict::kImporterMissing)));
  return reports;
}

pipeline::StageOutcome Nsys::Run(pipeline::StageContext& context) {
  pipeline::StageOutcome outcome = RunCaptures(context);
  if (!std::holds_alternative<Error>(outcome)) return outcome;
  const Status noted = NoteRawFiles(context);
  if (!noted.ok()) context.Note(noted.error().message());
  return outcome;
}

pipeline::StageOutcome Nsys::RunCaptures(pipeline::StageContext& context) {
  if (Status found = CheckNvtxCapture(context, options_.limits, options_.nvtx_capture);
      !found.ok()) {
    return std::move(found).error();
  }
  // The dry run, if there is one, comes before them.
  const std::vector<Capture> captures = Captures();
  const auto& commands = context.plan().commands;
  const size_t first = commands.size() - captures.size();
  std::vector<std::string> reports;
  for (size_t i = 0; i < captures.size(); ++i) {
    Result<std::vector<std::string>> made =
        RunCapture(context, commands[first + i], captures[i]);
    if (!made.ok()) return std::move(made).error();
    reports.insert(reports.end(), made.value().begin(), made.value().end());
  }
  profiles::NsysContents all;
  for (const std::string& report : reports) {
    Result<profiles::NsysContents> contents =
        ExportReport(context, options_, facts_, report);
    if (!contents.ok()) {
      context.SetOutcome(std::string(Name(NsysVerdict::kExportFailed)));
      return Error(ErrorCode::kTool, "ExportFailed: " + contents.error().message());
    }
    Add(contents.value(), all);
  }
  NoteContents(context, options_, all);
  if (std::string note = LimitsNote("nsys", context.place().workload, options_.limits);
      !note.empty()) {
    context.Note(std::move(note));
  }
  return pipeline::Done{Summary(reports, all)};
}

config::Result<std::unique_ptr<pipeline::Stage>> MakeNsys(
    const pipeline::StageConfig& config) {
  RIDGELINE_TRY(NsysOptions options, ReadNsysOptions(config));
  return std::unique_ptr<pipeline::Stage>(
      std::make_unique<Nsys>(std::move(options), AskNsys(config.tools)));
}

}  // namespace ridgeline::stages
