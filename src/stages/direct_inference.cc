#include "stages/direct_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/plural.h"
#include "base/units.h"
#include "config/reader.h"
#include "config/tree/select.h"
#include "os/files.h"
#include "pipeline/plan_workload.h"
#include "pipeline/stage_context.h"
#include "profiles/model_metrics.h"
#include "profiles/page_journal.h"
#include "stages/shared/model_end.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMetricsVersion = 2;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

// Process times of the runs, and the metrics of the calls of a Python program.
std::string MetricsJson(const std::vector<os::ProcessResult>& runs,
                        const std::optional<profiles::ModelMetrics>& calls) {
  Json samples = Json::array();
  std::vector<double> wall_s;
  for (const os::ProcessResult& run : runs) {
    wall_s.push_back(run.wall_s);
    samples.push_back({{"wall_s", run.wall_s},
                       {"user_s", run.user_s},
                       {"system_s", run.system_s},
                       {"peak_rss_bytes", run.peak_rss_bytes}});
  }
  const auto [min, max] = std::minmax_element(wall_s.begin(), wall_s.end());
  if (calls) {
    Json json = ParseJson<Json>(profiles::ToJson(*calls));
    json["runs"] = std::move(samples);
    return DumpJson(json, 2) + "\n";
  }
  const Json json = {
      {"schema_version", kMetricsVersion},
      {"stage", "direct_inference"},
      {"what", "runs of the program, process start to exit"},
      {"wall_s", {{"median", Median(wall_s)}, {"min", *min}, {"max", *max}}},
      {"runs", std::move(samples)}};
  return DumpJson(json, 2) + "\n";
}

std::string Summary(const std::vector<os::ProcessResult>& runs) {
  std::vector<double> wall_s;
  for (const os::ProcessResult& run : runs) wall_s.push_back(run.wall_s);
  if (runs.size() == 1) return "n=1, " + units::Seconds(wall_s[0]);
  return fmt::format("n={}, median {}", runs.size(), units::Seconds(Median(wall_s)));
}

int64_t PeakRss(const std::vector<os::ProcessResult>& runs) {
  int64_t most = 0;
  for (const os::ProcessResult& run : runs) most = std::max(most, run.peak_rss_bytes);
  return most;
}

std::string CallsText(const profiles::ModelMetrics& calls) {
  std::string text =
      fmt::format("; {} of {}", Plural(calls.samples.size(), "call"), calls.model);
  if (const int64_t warm_up = calls.warmup_rounds * calls.repeats; warm_up > 0) {
    text += fmt::format(" (without {})", Plural(warm_up, "warm-up call"));
  }
  if (const auto* times = Find(calls, "end_to_end_s")) {
    text += fmt::format(", median {}", units::Seconds(times->summary.median));
  }
  const std::optional<double> speed = calls.decode_tokens_per_s();
  if (speed) text += fmt::format(", decode {} tokens/s", units::Ratio(*speed));
  return text;
}

// Number of Python processes in all runs so far.
Result<size_t> CountProcesses(const pipeline::StagePlace& place) {
  if (place.workload.kind() != pipeline::WorkloadKind::kPython) return size_t{0};
  RIDGELINE_TRY(const std::vector<python::Process> processes,
                ReadPythonRun(place.directory));
  return processes.size();
}

// The calls of each run of the program, the same as in the first one that made any;
// `processes_until`: end index of each run's processes. Runs without them are omitted.
std::vector<MeasuredCalls> CallsByRun(std::span<const python::Process> processes,
                                      const std::vector<size_t>& processes_until) {
  std::vector<MeasuredCalls> runs;
  std::span<const python::Process> before;  // Of runs.front().
  size_t first = 0;
  for (const size_t last : processes_until) {
    const auto of_run = processes.subspan(first, last - first);
    if (runs.empty()) before = of_run;
    MeasuredCalls calls =
        runs.empty() ? CallsOf(of_run) : SameCalls(runs.front(), before, of_run);
    if (calls.process != nullptr) runs.push_back(std::move(calls));
    first = last;
  }
  return runs;
}

// Metrics of the calls observed by the Python agent in all runs; nullopt: none.
Result<std::optional<profiles::ModelMetrics>> ReadCalls(
    pipeline::StageContext& context, const std::vector<size_t>& processes_until,
    int64_t warmup_calls) {
  using Nothing = std::optional<profiles::ModelMetrics>;
  const pipeline::StagePlace& place = context.place();
  if (place.workload.kind() != pipeline::WorkloadKind::kPython) return Nothing();
  RIDGELINE_TRY(const std::vector<python::Process> processes,
                ReadPythonRun(place.directory));
  NotePython(processes, context);
  if (const auto why = WhyNotObserved(processes)) {
    context.Note("no times of calls: " + why->outcome + ": " + why->reason);
    return Nothing();
  }
  const std::vector<MeasuredCalls> measured = CallsByRun(processes, processes_until);
  if (!measured.empty()) NoteCalls(measured.front(), context);
  return Nothing(CallMetrics(measured, warmup_calls));
}

// One-line summary of the model's own metrics.
Result<std::string> MetricsText(pipeline::StageContext& context) {
  const std::filesystem::path path = context.place().directory / "metrics.json";
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  RIDGELINE_TRY(const profiles::ModelMetrics metrics,
                profiles::ParseModelMetrics(text, path.string()));
  NotePages(metrics, context);
  std::string read = fmt::format("n={} over {}", metrics.samples.size(),
                                 Plural(metrics.pages(), "page"));
  if (!metrics.failures.empty()) {
    read += fmt::format(" ({} skipped)", metrics.failures.size());
  }
  const std::optional<double> speed = metrics.decode_tokens_per_s();
  return speed ? fmt::format("{}, decode {} tokens/s", read, units::Ratio(*speed)) : read;
}

}  // namespace

pipeline::StagePlan DirectInference::Plan(const pipeline::StagePlace& place) const {
  pipeline::StagePlan plan;
  // A model repeats the pages itself after a single start.
  const int64_t times = place.workload.IsModel() ? 1 : options_.repeats;
  plan.commands.push_back(
      pipeline::PlanWorkload(place, place.ForOutput(pipeline::WorkloadTask::kRun),
                             {.purpose = "workload",
                              .command = {},
                              .log = "workload.log",
                              .output = {},
                              .command_file = "cmd.txt",
                              .times = times}));
  plan.writes = {"metrics.json", "cmd.txt",
                 times == 1 ? "workload.log" : "workload.*.log"};
  if (place.workload.IsModel()) plan.journal = profiles::kPageJournalFile;
  return plan;
}

pipeline::StageOutcome DirectInference::Run(pipeline::StageContext& context) {
  std::vector<os::ProcessResult> runs;
  std::vector<size_t> processes_until;  // End index of each run.
  const pipeline::StagePlace& place = context.place();
  pipeline::PlannedCommand command =
      pipeline::PlanWorkload(place, place.ForOutput(pipeline::WorkloadTask::kRun),
                             context.plan().commands.front());
  for (int64_t i = 1; i <= command.times; ++i) {
    if (command.times > 1) {
      command.purpose = fmt::format("workload, {} of {}", i, command.times);
      command.log = fmt::format("workload.{}.log", i);
    }
    Status prepared =
        context.PrepareWorkload(place.ForOutput(pipeline::WorkloadTask::kRun));
    if (!prepared.ok()) return std::move(prepared).error();
    Result<os::ProcessResult> ran = context.Run(command);
    if (!ran.ok()) return std::move(ran).error();
    Status ended = place.workload.IsModel() ? CheckModelEnd(context, command, ran.value())
                                            : context.CheckEnd(command, ran.value());
    if (!ended.ok()) return std::move(ended).error();
    runs.push_back(std::move(ran).value());
    Result<size_t> processes = CountProcesses(place);
    if (!processes.ok()) return std::move(processes).error();
    processes_until.push_back(processes.value());
  }
  // The model writes its own metrics, which are more detailed than process times.
  if (place.workload.IsModel()) {
    Result<std::string> summary = MetricsText(context);
    if (!summary.ok()) return std::move(summary).error();
    return pipeline::Done{std::move(summary).value()};
  }
  Result<std::optional<profiles::ModelMetrics>> calls =
      ReadCalls(context, processes_until, options_.warmup_calls);
  if (!calls.ok()) return std::move(calls).error();
  if (calls.value()) calls.value()->peak_rss_bytes = PeakRss(runs);
  Status written = context.Write("metrics.json", MetricsJson(runs, calls.value()));
  if (!written.ok()) return std::move(written).error();
  return pipeline::Done{Summary(runs) + (calls.value() ? CallsText(*calls.value()) : "")};
}

config::Result<std::unique_ptr<pipeline::Stage>> MakeDirectInference(
    const pipeline::StageConfig& config) {
  DirectInferenceOptions options;
  RIDGELINE_TRY(config::Node * run, config::Select(config.workspace, config.root, "run"));
  if (run != nullptr) {
    config::Reader reader(config.workspace, *run);
    std::string mode = "deep";
    reader.ReadOptional("mode", mode);
    reader.ReadOptional("repeats", options.repeats);
    if (mode == "light") options.repeats = 1;
  }
  RIDGELINE_TRY(config::Node * profiler,
                config::Select(config.workspace, config.root, "pipeline.torch_profiler"));
  if (profiler != nullptr) {
    config::Reader reader(config.workspace, *profiler);
    reader.ReadOptional("warmup_rounds", options.warmup_calls);
  }
  return std::unique_ptr<pipeline::Stage>(std::make_unique<DirectInference>(options));
}

namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kDirectInferenceKeys[] = {
    {.path = "pipeline.direct_inference.enable", .kind = kBool, .otherwise = "false"},
    {.path = "pipeline.direct_inference.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "3600"},
};

}  // namespace

pipeline::KeyGroup DirectInferenceKeys() { return {kDirectInferenceKeys}; }

}  // namespace ridgeline::stages
