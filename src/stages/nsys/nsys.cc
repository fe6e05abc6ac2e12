#include "stages/nsys/nsys.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/plural.h"
#include "os/file_tail.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "pipeline/stage_context.h"
#include "ranks/launcher.h"
#include "stages/shared/capture_limits.h"
#include "stages/shared/file_name.h"
#include "stages/shared/model_end.h"
#include "stages/shared/nvtx_dry_run.h"
#include "stages/shared/python_run.h"
#include "stages/shared/workload_output.h"

namespace ridgeline::stages {
namespace {

constexpr std::string_view kBase = "run";

// nsys that breaks next to another one usually works a moment later. A workload that
// takes long is not run a third time.
constexpr int kMaxAttempts = 3;
constexpr std::chrono::milliseconds kPauseAfterBreak(1000);
constexpr double kLongAttemptS = 60;

// Log of the workload's output: "workload.log" for "run".
std::string WorkloadLog(const std::string& base) {
  return "workload" + base.substr(kBase.size()) + ".log";
}

// The same command with stdout and stderr in `file`. A profiler that starts it prints its
// own messages to the original streams, where the workload cannot imitate them.
os::Command WithOutputIn(const std::filesystem::path& file, const os::Command& command) {
  os::Command redirected = command;
  // The shell execs the program: same process, same exit code.
  redirected.argv = {"/bin/sh", "-c", "exec \"$@\" >\"$0\" 2>&1", file.string()};
  redirected.argv.insert(redirected.argv.end(), command.argv.begin(), command.argv.end());
  return redirected;
}

// Empty: capture_range_end is set, or there is no range.
std::string RangeEndNote(const NsysOptions& options) {
  if (!options.IsGated() || !options.capture_range_end.empty()) return "";
  return "capture_range_end is not set: --capture-range-end is not passed, and nsys "
         "kills the program at the end of the range; capture_range_end=stop lets it run "
         "to its end";
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

// "224 NVTX ranges, 1,204 kernels", over all reports.
std::string Summary(const std::vector<std::string>& reports,
                    const profiles::NsysContents& all) {
  std::string text =
      fmt::format("{}: {}, {}", fmt::join(reports, ", "),
                  Plural(all.nvtx_ranges, "NVTX range"), Plural(all.kernels, "kernel"));
  if (all.graphs > 0) text += ", " + Plural(all.graphs, "CUDA graph");
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

// One per profiled rank.
std::vector<NsysEnd> EndsOf(const pipeline::StageContext& context,
                            const pipeline::PlannedCommand& planned,
                            const std::string& base, const os::ProcessResult& ran) {
  std::vector<NsysEnd> ends;
  if (planned.ranks.empty()) {
    NsysEnd& end = ends.emplace_back();
    end.base = base;
    end.log_file = planned.log;
    end.workload_log = planned.second_log;
    end.process = ran;
    return ends;
  }
  for (const ranks::RankEnd& rank : context.ranks().ranks) {
    if (!rank.record.profiled) continue;
    NsysEnd& end = ends.emplace_back();
    end.rank = rank.record.rank;
    end.base = base + "." + ranks::RankName(rank.record.rank);
    end.log_file = ranks::RankFile(planned.log, rank.record.rank);
    end.workload_log = ranks::RankFile(planned.second_log, rank.record.rank);
    end.process = rank.process;
    end.process.timed_out = ran.timed_out && end.process.interrupted_by.has_value();
  }
  return ends;
}

Result<std::vector<NsysEnd>> RunNsys(pipeline::StageContext& context,
                                     const pipeline::PlannedCommand& planned,
                                     const std::string& base,
                                     const pipeline::CaptureLimits& limits) {
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(context.place().ForCapture(limits)));
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(planned));
  std::vector<NsysEnd> ends = EndsOf(context, planned, base, ran);
  for (NsysEnd& end : ends) {
    const std::filesystem::path path = context.place().directory / end.log_file;
    if (!end.rank || os::Exists(path)) {
      RIDGELINE_TRY(const std::string log, os::ReadFile(path));
      end.log = ParseNsysLog(log);
    }
    RIDGELINE_RETURN_IF_ERROR(CountReports(context, end.base, end));
  }
  return ends;
}

// nsys.log -> nsys_attempt1.log, and the same for the workload's.
Status KeepLogs(pipeline::StageContext& context, const NsysEnd& end, int attempt) {
  for (const std::string& name : {end.log_file, end.workload_log}) {
    const std::filesystem::path log = context.place().directory / name;
    if (!os::Exists(log)) continue;
    const std::filesystem::path kept =
        log.parent_path() / fmt::format("{}_attempt{}.log", log.stem().string(), attempt);
    RIDGELINE_RETURN_IF_ERROR(context.owned().Move(log, kept));
  }
  return Ok();
}

// "rank 3 on node1: "; empty without ranks.
std::string WhoOf(const pipeline::StageContext& context, const NsysEnd& end) {
  if (!end.rank) return "";
  return ranks::NameOf(context.ranks().ranks[static_cast<size_t>(*end.rank)].record) +
         ": ";
}

// Whether its end is meaningful for its capture. A rank that was stopped because another
// one failed may have a partial one.
bool IsJudged(const pipeline::StageContext& context, const NsysEnd& end) {
  if (!end.rank) return true;
  const ranks::RanksEnd& all = context.ranks();
  const ranks::RankEnd& rank = all.ranks[static_cast<size_t>(*end.rank)];
  return rank.record.state == artifacts::RankState::kDone || all.FirstFailed() == &rank;
}

// Of a workload that failed: what nsys captured until then, as a report if possible.
void KeepPartialReport(pipeline::StageContext& context, const NsysEnd& end) {
  if (end.files == 0) return;
  const Result<std::vector<std::string>> reports = MakeReports(context, end.base);
  if (!reports.ok()) {
    context.Note("the report is kept as a raw stream: " + reports.error().message());
  }
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

NsysCommand Nsys::CommandOf(const pipeline::StagePlace& place, const Capture& capture,
                            const os::Command& workload,
                            const std::string& suffix) const {
  const std::string base = capture.base + suffix;
  // nsys replaces %h with the host name.
  const std::string report = suffix.empty() ? base : base + ".%h";
  return BuildNsysCommand(options_, facts_, capture.nvtx_capture,
                          WithOutputIn(place.directory / WorkloadLog(base), workload),
                          place.directory / report);
}

pipeline::PlannedCommand Nsys::PlanCapture(const pipeline::StagePlace& place,
                                           const Capture& capture) const {
  const std::string suffix = capture.base.substr(kBase.size());
  return pipeline::PlanWorkload(
      place, place.ForCapture(options_.limits),
      {.purpose = "nsys profile",
       .command = {},
       .log = "nsys" + suffix + ".log",
       .output = {},
       .second_log = WorkloadLog(capture.base),
       .command_file = "cmd" + suffix + ".txt",
       .takes_turns = true},
      [&](const os::Command& workload, const std::string& of_rank) {
        return CommandOf(place, capture, workload, of_rank).command;
      });
}

pipeline::StagePlan Nsys::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  plan.tools = {"nsys"};
  plan.needs_private_temporary = true;
  plan.writes = {"run*.nsys-rep", "run*.sqlite", "summary*.csv", "cmd*.txt", "*.log"};
  if (options_.WaitsForNvtx() && options_.nvtx_dry_run) {
    PlanNvtxDryRun(place, options_.limits, plan);
  }
  const std::vector<Capture> captures = Captures();
  for (const Capture& capture : captures) {
    plan.commands.push_back(PlanCapture(place, capture));
  }
  const NsysCommand built = CommandOf(place, captures.front(), {}, "");
  plan.assumptions.insert(plan.assumptions.end(), built.changes.begin(),
                          built.changes.end());
  if (!facts_.unanswered.empty()) {
    plan.assumptions.push_back(facts_.unanswered + "; assuming a current nsys");
  }
  plan.skip = built.impossible;
  if (captures.size() > 1) {
    plan.assumptions.push_back(
        fmt::format("nsys captures one NVTX range per run: the workload runs {} times",
                    captures.size()));
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

bool Nsys::HasBroken(const pipeline::StageContext& context, const Capture& capture,
                     const NsysEnd& end) const {
  if (!IsJudged(context, end) || end.process.interrupted_by) return false;
  // The dry run has seen the range: nsys has not.
  const bool is_range_certain = context.plan().commands.size() > Captures().size();
  const NsysVerdict verdict = Classify(options_, capture.nvtx_capture, end).verdict;
  return verdict == NsysVerdict::kToolFailed ||
         (verdict == NsysVerdict::kNoRangeHit && is_range_certain);
}

Result<std::vector<NsysEnd>> Nsys::RunAgainIfItBreaks(
    pipeline::StageContext& context, const pipeline::PlannedCommand& planned,
    const Capture& capture) {
  for (int attempt = 1;; ++attempt) {
    RIDGELINE_TRY(std::vector<NsysEnd> ends,
                  RunNsys(context, planned, capture.base, options_.limits));
    const auto broken = std::find_if(ends.begin(), ends.end(), [&](const NsysEnd& end) {
      return HasBroken(context, capture, end);
    });
    if (broken == ends.end() || attempt == kMaxAttempts) return ends;
    if (attempt > 1 && broken->process.wall_s > kLongAttemptS) return ends;
    context.Note(WhoOf(context, *broken) +
                 Classify(options_, capture.nvtx_capture, *broken).ToString() +
                 fmt::format("; nsys was started again (logs of attempt {0}: "
                             "*_attempt{0}.log)",
                             attempt));
    for (const NsysEnd& end : ends) {
      RIDGELINE_RETURN_IF_ERROR(KeepLogs(context, end, attempt));
      RIDGELINE_RETURN_IF_ERROR(RemoveReports(context, end.base));
    }
    context.Pause(attempt * kPauseAfterBreak);
  }
}

Error Nsys::FailureOf(pipeline::StageContext& context,
                      const pipeline::PlannedCommand& planned, const Capture& capture,
                      NsysEnd end) const {
  const NsysOutcome outcome = Classify(options_, capture.nvtx_capture, end);
  std::string text = WhoOf(context, end) + outcome.ToString();
  if (outcome.verdict == NsysVerdict::kWorkloadFailed) {
    // Its last line gives the reason; that of nsys does not.
    end.process.output = EndOfFile(context.place().directory / end.workload_log);
    end.log_file = end.workload_log;
  }
  pipeline::PlannedCommand of_rank = planned;
  of_rank.ranks.clear();
  of_rank.log = end.log_file;
  const Status ended = context.CheckEnd(of_rank, end.process);
  if (outcome.verdict == NsysVerdict::kTimedOut && !ended.ok()) {
    // It has the limit and its key; the outcome adds nothing to it.
    return {ErrorCode::kTool,
            fmt::format("{}{}: {}", WhoOf(context, end), Name(outcome.verdict),
                        ended.error().message())};
  }
  if (!ended.ok()) text += " (" + ended.error().message() + ")";
  return {ErrorCode::kTool, text};
}

// Failure of the workload as a whole, unless the first failed rank is a profiled one,
// whose own outcome is more specific.
std::optional<Error> Nsys::FailureOfRanks(pipeline::StageContext& context,
                                          const pipeline::PlannedCommand& planned) {
  if (planned.ranks.empty()) return std::nullopt;
  const ranks::RanksEnd& all = context.ranks();
  const ranks::RankEnd* const failed = all.FirstFailed();
  if (failed != nullptr && failed->record.profiled && !all.launcher.timed_out) {
    return std::nullopt;
  }
  Status ended = context.CheckEnd(planned, all.AsOneProcess());
  if (ended.ok()) return std::nullopt;
  return std::move(ended).error();
}

Result<Nsys::Captured> Nsys::RunCapture(pipeline::StageContext& context,
                                        const pipeline::PlannedCommand& planned,
                                        const Capture& capture) {
  RIDGELINE_TRY(const std::vector<NsysEnd> ends,
                RunAgainIfItBreaks(context, planned, capture));
  Captured captured = {{}, FailureOfRanks(context, planned)};
  std::vector<std::string> bases;  // Of successful captures.
  for (const NsysEnd& end : ends) {
    if (!IsJudged(context, end)) continue;
    const NsysOutcome outcome = Classify(options_, capture.nvtx_capture, end);
    if (end.rank) context.SetRankOutcome(*end.rank, std::string(Name(outcome.verdict)));
    if (!captured.failure) {
      context.SetOutcome(std::string(Name(outcome.verdict)), outcome.retry_overrides);
    }
    if (outcome.failed()) {
      if (outcome.verdict == NsysVerdict::kWorkloadFailed) {
        KeepPartialReport(context, end);
      }
      if (!captured.failure) captured.failure = FailureOf(context, planned, capture, end);
      continue;
    }
    if (!outcome.cause.empty()) context.Note(WhoOf(context, end) + outcome.ToString());
    bases.push_back(end.base);
  }
  if (!captured.failure) RIDGELINE_RETURN_IF_ERROR(TakeOutput(context, capture));
  for (const std::string& base : bases) {
    Result<std::vector<std::string>> reports = MakeReports(context, base);
    if (reports.ok()) {
      captured.reports.insert(captured.reports.end(), reports.value().begin(),
                              reports.value().end());
      continue;
    }
    const std::string missing(Name(NsysVerdict::kImporterMissing));
    context.SetOutcome(missing);
    for (const NsysEnd& end : ends) {
      if (end.rank && end.base == base) context.SetRankOutcome(*end.rank, missing);
    }
    captured.failure = std::move(reports).error();
  }
  return captured;
}

// For a successful capture.
Status Nsys::TakeOutput(pipeline::StageContext& context, const Capture& capture) const {
  if (const std::string note = RangeEndNote(options_); !note.empty()) context.Note(note);
  RIDGELINE_RETURN_IF_ERROR(KeepWorkloadMetrics(context, capture.base));
  RIDGELINE_RETURN_IF_ERROR(TakeCaptureParity(context));
  RIDGELINE_RETURN_IF_ERROR(LinkWorkloadOutput(context.place()));
  return options_.RecordsNvtx() ? NotePythonCapture(context) : Ok();
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
  // Preceded by the dry run, if there is one.
  const std::vector<Capture> captures = Captures();
  const auto& commands = context.plan().commands;
  const size_t first = commands.size() - captures.size();
  std::vector<std::string> reports;
  std::optional<Error> failure;
  for (size_t i = 0; i < captures.size() && !failure; ++i) {
    Result<Captured> made = RunCapture(context, commands[first + i], captures[i]);
    if (!made.ok()) return std::move(made).error();
    const Captured& captured = made.value();
    reports.insert(reports.end(), captured.reports.begin(), captured.reports.end());
    failure = captured.failure;
  }
  // A failed capture without ranks has no reports, or those of earlier labels, which are
  // kept.
  if (failure && context.place().workload.ranks() == nullptr) return std::move(*failure);
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
  if (failure) return std::move(*failure);
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
