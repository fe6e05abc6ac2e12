#include "stages/shared/python_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/trace_findings.h"
#include "base/plural.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "profiles/formats.h"
#include "profiles/operators/operator_profile.h"
#include "profiles/shared/gzip.h"
#include "ranks/launcher.h"
#include "stages/shared/device_times.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;
using pipeline::WorkloadPlace;
using pipeline::WorkloadTask;
using python::Process;

constexpr const char* kUnprofiled = "unprofiled";

WorkloadPlace UnprofiledPlace(const pipeline::StagePlace& place) {
  WorkloadPlace unprofiled = place.ForOutput(WorkloadTask::kRun);
  unprofiled.output /= kUnprofiled;
  return unprofiled;
}

struct ObservedRun {
  std::vector<Process> processes;
  int64_t peak_rss_bytes = 0;
};

Result<ObservedRun> RunAt(const WorkloadPlace& place,
                          const pipeline::PlannedCommand& command,
                          pipeline::StageContext& context) {
  RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(place));
  RIDGELINE_TRY(const os::ProcessResult ran, context.Run(command));
  RIDGELINE_RETURN_IF_ERROR(context.CheckEnd(command, ran));
  RIDGELINE_TRY(std::vector<Process> processes, ReadPythonRun(place.output));
  return ObservedRun{std::move(processes), ran.peak_rss_bytes};
}

NotObserved WhyNoTrace(std::span<const Process> processes) {
  for (const Process& process : processes) {
    for (const python::Problem& problem : process.problems) {
      if (problem.name != "ProfilerBusy" && problem.name != "ProfilerFailed") continue;
      return {problem.name, problem.text};
    }
  }
  return {"AgentKilled",
          "the program ended before torch.profiler had written its trace (killed, or "
          "os._exit())"};
}

// "trace.json.gz", or "trace.rank3.node1.json.gz" for a rank.
std::string TraceFile(const Process& process, const pipeline::StageContext& context) {
  const std::vector<ranks::RankEnd>& ranks = context.ranks().ranks;
  if (ranks.empty() || !process.rank) return profiles::kTraceFile;
  const artifacts::RankRecord& rank = ranks[static_cast<size_t>(*process.rank)].record;
  return fmt::format("trace.{}.{}.json.gz", ranks::RankName(rank.rank), rank.host);
}

fs::path PlainTrace(const Process& process, const pipeline::StageContext& context) {
  return context.place().directory / pipeline::kAgentFolder / process.trace->file;
}

// Compresses the trace; the uncompressed file is not kept.
Status KeepTrace(const Process& process, pipeline::StageContext& context) {
  const fs::path plain = PlainTrace(process, context);
  profiles::Gzip gzip;
  RIDGELINE_RETURN_IF_ERROR(
      os::ForEachBlock(plain, [&gzip](std::string_view block) { gzip.Add(block); }));
  RIDGELINE_TRY(const std::string bytes, gzip.Finish());
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(
      context.place().directory / TraceFile(process, context), bytes));
  return context.owned().Remove(plain);
}

// Keeps the traces of ranks that are not in the report of the stage next to it.
Status KeepOtherTraces(std::span<const Process> processes, const Process& reported,
                       pipeline::StageContext& context) {
  if (context.ranks().ranks.empty()) return Ok();
  std::vector<std::string> kept = {TraceFile(reported, context)};
  for (const Process& process : processes) {
    if (!process.trace || !process.rank || &process == &reported) continue;
    // A second process of the same rank keeps its uncompressed file.
    std::string file = TraceFile(process, context);
    if (std::find(kept.begin(), kept.end(), file) != kept.end()) continue;
    RIDGELINE_RETURN_IF_ERROR(KeepTrace(process, context));
    kept.push_back(std::move(file));
  }
  return Ok();
}

double MedianOf(const profiles::ModelMetrics& metrics) {
  const profiles::MeasuredQuantity* const times = Find(metrics, "end_to_end_s");
  return times == nullptr ? 0 : times->summary.median;
}

profiles::OperatorProfile ProfileOf(const Process& process, const python::Call& call,
                                    const profiles::ModelMetrics* unprofiled,
                                    const results::TraceRows& rows,
                                    profiles::GroupBy group_by) {
  profiles::OperatorProfile profile;
  profile.recorder = "torch.profiler of PyTorch " + process.torch;
  profile.image = fmt::format("call {} of {}", call.index, call.name);
  profile.generated_tokens = call.generated_tokens.value_or(0);
  profile.activities = {"cpu"};
  if (!rows.gpu_activities.empty()) profile.activities.push_back("cuda");
  profile.wall_s = static_cast<double>(call.duration_ns) * 1e-9;
  if (unprofiled != nullptr) {
    profile.unprofiled_calls = std::ssize(unprofiled->samples);
    profile.unprofiled_before_s = profile.unprofiled_after_s = MedianOf(*unprofiled);
  }
  profile.threads = rows.thread_count;
  profile.events = std::ssize(rows.operators) + std::ssize(rows.annotations);
  profile.has_shapes = !rows.operator_inputs.empty();
  profile.is_grouped_by_shapes = group_by == profiles::GroupBy::kNameAndShapes;
  analysis::TraceOperators operators = analysis::OperatorProfileOf(rows, group_by);
  profile.operators = std::move(operators.operators);
  profile.modules = std::move(operators.modules);
  return profile;
}

// The process with the trace, the call in it, and what they are compared with.
struct TracedCall {
  const Process& process;
  const python::Call& call;
  const MeasuredCalls& unprofiled;
  MeasuredCalls same;  // As `unprofiled`, in the profiled run.
};

// Why the profiled call cannot be compared with the unprofiled ones; empty: it can.
std::string WhyIncomparable(const TracedCall& traced) {
  const MeasuredCalls& same = traced.same;
  if (same.process == nullptr) {
    return fmt::format(
        "the times are of {} in a process that is not in the profiled run (other ranks, "
        "models or numbers of processes)",
        same.name);
  }
  if (same.process != &traced.process) {
    return fmt::format(
        "it is of process {}, and the times are of {} in process {}, which has no trace",
        traced.process.pid, same.name, same.process->pid);
  }
  if (!same.Include(traced.call)) {
    return fmt::format(
        "the times are of {}; a higher pipeline.torch_profiler.warmup_rounds profiles a "
        "later call",
        same.name);
  }
  if (!traced.call.error.empty()) {
    return fmt::format("it raised {}, and no call succeeded under the profiler",
                       traced.call.error);
  }
  return "";
}

// The profiled call in the unprofiled run; null: it was not made there.
const python::Call* Repeat(const TracedCall& traced) {
  for (const python::Call* call : traced.unprofiled.calls) {
    if (call->index == traced.call.index) return call;
  }
  return nullptr;
}

// Whether both calls do the same in a phase, as far as is known.
bool DoTheSame(const python::Call& a, const python::Call& b, std::string_view phase) {
  return a.batch == b.batch && a.prompt_tokens == b.prompt_tokens &&
         (phase == "prefill" ||
          (a.generated_tokens == b.generated_tokens && a.forwards == b.forwards));
}

// Notes what is unknown of the profiled call.
void AddUnknown(std::string_view what, const std::string& why,
                report::ProfileReport& report) {
  report.why_no_efficiency = fmt::format("Unknown: {}.", why);
  report.profile->notes.push_back(fmt::format("{} of the profiled call: {}", what, why));
}

// FLOP/s of the call and its phases, relative to the ceiling of the model's device.
Status AddUtilization(const results::TraceRows& rows, const TracedCall& traced,
                      pipeline::StageContext& context, hardware::DeviceRequest device,
                      report::ProfileReport& report) {
  const python::Call& call = traced.call;
  const analysis::TraceFindings findings = analysis::FindingsOf(rows);
  if (!findings.has_shapes) {
    report.why_no_efficiency =
        "Unknown: FLOPs need shapes (pipeline.torch_profiler.record_shapes=true).";
    return Ok();
  }
  const python::Call* const repeat = Repeat(traced);
  if (repeat == nullptr || !DoTheSame(call, *repeat, "prefill")) {
    AddUnknown("no MFU",
               fmt::format("call {} of the unprofiled run {}", call.index,
                           repeat == nullptr ? "is missing or raised an exception"
                                             : "has another batch size or prompt length"),
               report);
    return Ok();
  }
  if (!DoTheSame(call, *repeat, "end_to_end")) {
    AddUnknown(
        "no MFU of end_to_end and decode",
        fmt::format("call {} of the unprofiled run has another number of generated "
                    "tokens or forward() calls",
                    call.index),
        report);
  }
  if (!report.metrics.device.empty()) device.device = report.metrics.device;
  RIDGELINE_TRY(const hardware::DeviceCeilings ceilings,
                hardware::CeilingsOfRun(context.place().ceilings_file, device,
                                        hardware::ThisMachine()));
  profiles::CallUtilization utilization = {
      .device = ceilings.device,
      .peak_flops_per_s = ceilings.rates().flops_per_s,
      .peak_bytes_per_s = ceilings.rates().bytes_per_s,
      .phases = {}};
  const std::pair<std::string, std::string> phases[] = {
      {"end_to_end", call.kind},
      {"prefill", call.kind + "/prefill"},
      {"decode", call.kind + "/decode"}};
  for (const auto& [name, path] : phases) {
    for (const results::RegionTotal& region : findings.regions) {
      if (region.path != path || !region.work || !region.work->flops) continue;
      const double seconds = SampleOf(*repeat, 0).SecondsOf(name).value_or(0);
      if (seconds > 0 && DoTheSame(call, *repeat, name)) {
        utilization.phases.push_back({name, seconds, *region.work->flops});
      }
    }
  }
  if (utilization.phases.empty() && !report.why_no_efficiency.empty()) return Ok();
  report.metrics.utilization = std::move(utilization);
  return Ok();
}

Status ReadTrace(const TracedCall& traced, pipeline::StageContext& context,
                 const PythonProfileOptions& options, report::ProfileReport& report) {
  const Process& process = traced.process;
  const python::Call& call = traced.call;
  const fs::path plain = PlainTrace(process, context);
  RIDGELINE_TRY(const profiles::Profile trace,
                profiles::OpenProfile(plain, {}, {profiles::Tool::kPyTorch}));
  const auto& rows = std::get<results::TraceRows>(trace.rows);
  const std::string why_incomparable = WhyIncomparable(traced);
  const bool is_comparable = why_incomparable.empty();
  if (is_comparable) report.metrics.profiled = SampleOf(call, 0);
  report.profile =
      ProfileOf(process, call, is_comparable ? &report.metrics : nullptr, rows,
                options.group_by_input_shape ? profiles::GroupBy::kNameAndShapes
                                             : profiles::GroupBy::kName);
  report.device_times = DeviceTimesOf(rows);
  if (is_comparable) {
    RIDGELINE_RETURN_IF_ERROR(
        AddUtilization(rows, traced, context, options.device, report));
  } else {
    AddUnknown("no profiling overhead and no MFU", why_incomparable, report);
  }
  if (std::ssize(process.calls) <= options.warmup_calls) {
    report.profile->notes.push_back(fmt::format(
        "the program made {}: the last one was profiled, and all are in the statistics, "
        "without the {} of pipeline.torch_profiler.warmup_rounds",
        Plural(process.calls.size(), "call"),
        Plural(options.warmup_calls, "warm-up call")));
  }
  RIDGELINE_RETURN_IF_ERROR(
      context.Write(profiles::kProfileFile, profiles::ToJson(*report.profile)));
  return KeepTrace(process, context);
}

}  // namespace

pipeline::StagePlan PlanPythonProfile(const pipeline::StagePlace& place,
                                      const PythonProfileOptions& options) {
  pipeline::StagePlan plan;
  plan.commands.push_back(pipeline::PlanWorkload(place, UnprofiledPlace(place),
                                                 {.purpose = "unprofiled calls",
                                                  .command = {},
                                                  .log = "unprofiled.log",
                                                  .output = {},
                                                  .command_file = "cmd_unprofiled.txt"}));
  plan.writes = {"metrics.json", "report.md", "stakeholder_summary.md", "unprofiled",
                 "cmd_unprofiled.txt"};
  if (!options.records) return plan;
  plan.commands.push_back(pipeline::PlanWorkload(place,
                                                 place.ForOutput(WorkloadTask::kProfile),
                                                 {.purpose = "operator profile",
                                                  .command = {},
                                                  .log = "torch_profiler.log",
                                                  .output = {},
                                                  .command_file = "cmd.txt"}));
  plan.writes.insert(
      plan.writes.end(),
      {"cmd.txt", "torch_profiler.log", profiles::kProfileFile,
       place.workload.ranks() == nullptr ? profiles::kTraceFile : "trace.rank*.json.gz",
       "operators.md", pipeline::kAgentFolder});
  return plan;
}

Result<PythonProfileResult> RunPythonProfile(pipeline::StageContext& context,
                                             const PythonProfileOptions& options) {
  PythonProfileResult result;
  const std::vector<pipeline::PlannedCommand>& commands = context.plan().commands;
  RIDGELINE_TRY(const ObservedRun unprofiled,
                RunAt(UnprofiledPlace(context.place()), commands.front(), context));
  if (const auto why = WhyNotObserved(unprofiled.processes)) {
    result.outcome = SkipNotObserved(*why, context);
    return result;
  }
  const MeasuredCalls measured = CallsOf(unprofiled.processes);
  NoteCalls(measured, context);
  result.report.metrics = CallMetrics({&measured, 1}, options.warmup_calls);
  result.report.metrics.peak_rss_bytes = unprofiled.peak_rss_bytes;
  // Even if the second run fails.
  RIDGELINE_RETURN_IF_ERROR(
      context.Write("metrics.json", profiles::ToJson(result.report.metrics)));
  if (options.records) {
    RIDGELINE_TRY(const ObservedRun profiled,
                  RunAt(context.place().ForOutput(WorkloadTask::kProfile),
                        commands.back(), context));
    NotePython(profiled.processes, context);
    MeasuredCalls same = SameCalls(measured, unprofiled.processes, profiled.processes);
    const Process* const traced = TracedProcess(profiled.processes, same);
    if (traced == nullptr) {
      result.no_trace = WhyNoTrace(profiled.processes);
      return result;
    }
    const python::Call* const call = ProfiledCall(*traced);
    if (call == nullptr) {
      return Error(ErrorCode::kParse, fmt::format("{}: no call {} in the process file",
                                                  PlainTrace(*traced, context).string(),
                                                  traced->trace->call));
    }
    RIDGELINE_RETURN_IF_ERROR(ReadTrace({*traced, *call, measured, std::move(same)},
                                        context, options, result.report));
    RIDGELINE_RETURN_IF_ERROR(KeepOtherTraces(profiled.processes, *traced, context));
  }
  RIDGELINE_RETURN_IF_ERROR(
      context.Write("metrics.json", profiles::ToJson(result.report.metrics)));
  return result;
}

}  // namespace ridgeline::stages
