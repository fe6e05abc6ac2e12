#include "stages/torch_profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"
#include "config/reader.h"
#include "hardware/ceilings.h"
#include "models/estimate.h"
#include "models/measured_run.h"
#include "models/registry.h"
#include "os/files.h"
#include "pipeline/config_values.h"
#include "pipeline/stage_context.h"
#include "pipeline/workload_directory.h"
#include "profiles/formats.h"
#include "profiles/model_metrics.h"
#include "profiles/operators/operator_profile.h"
#include "profiles/page_journal.h"
#include "report/sections/operators.h"
#include "report/sections/phases.h"
#include "report/value_text.h"
#include "stages/shared/device_times.h"
#include "stages/shared/model_end.h"
#include "stages/shared/python_profile.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMetricsFile = "metrics.json";

struct TorchProfilerOptions {
  bool enabled = true;  // False: no recording, only the repetitions.
  std::vector<std::string> activities;
  bool group_by_input_shape = false;
  int64_t warmup_rounds = 2;
  models::EstimateOptions estimate;
};

bool Has(const std::vector<std::string>& activities, std::string_view name) {
  return std::find(activities.begin(), activities.end(), name) != activities.end();
}

// MFU and MBU, from the closed form of the model and the unprofiled times.
Result<analysis::MeasuredRun> MeasureUtilisation(
    const models::EstimateOptions& options, const std::filesystem::path& ceilings_file,
    const profiles::ModelMetrics& metrics) {
  RIDGELINE_TRY(const std::unique_ptr<models::Model> model, models::OpenModel(options));
  RIDGELINE_TRY(
      const hardware::DeviceCeilings device,
      hardware::CeilingsOfRun(ceilings_file, options.device, hardware::ThisMachine()));
  RIDGELINE_TRY(const cost::Estimate estimate,
                models::EstimateSample(*model, options, device.kind));
  return models::MeasureRun(*model, models::BasisOf(estimate, device), metrics);
}

class TorchProfiler final : public pipeline::Stage {
 public:
  explicit TorchProfiler(TorchProfilerOptions options) : options_(std::move(options)) {}

  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override {
    pipeline::StagePlan plan;
    if (place.workload.kind() == pipeline::WorkloadKind::kPython) {
      return PlanPythonProfile(place, PythonOptions());
    }
    if (!place.workload.IsModel()) {
      plan.skip = kNotPython;
      return plan;
    }
    plan.skip = place.workload.Unavailable();
    if (!plan.skip.empty()) return plan;
    plan.commands.push_back(
        {.purpose = Records() ? "operator profile" : "pages without the profiler",
         .command =
             place.workload.AsCommand(place.ForOutput(pipeline::WorkloadTask::kProfile)),
         .log = "torch_profiler.log",
         .output = {},
         .command_file = "cmd.txt"});
    plan.writes = {kMetricsFile, "report.md", "stakeholder_summary.md", "cmd.txt",
                   "torch_profiler.log"};
    plan.journal = profiles::kPageJournalFile;
    if (Records()) {
      plan.writes.insert(plan.writes.end(),
                         {profiles::kProfileFile, profiles::kTraceFile, "operators.md"});
    }
    return plan;
  }

  pipeline::StageOutcome Run(pipeline::StageContext& context) override {
    if (context.place().workload.kind() == pipeline::WorkloadKind::kPython) {
      return RunPython(context);
    }
    Result<std::string> summary = Profile(context);
    if (!summary.ok()) return std::move(summary).error();
    return pipeline::Done{std::move(summary).value()};
  }

 private:
  bool Records() const { return options_.enabled && Has(options_.activities, "cpu"); }

  PythonProfileOptions PythonOptions() const {
    return {.records = Records(),
            .group_by_input_shape = options_.group_by_input_shape,
            .warmup_calls = options_.warmup_rounds,
            .device = options_.estimate.device};
  }

  pipeline::StageOutcome RunPython(pipeline::StageContext& context) const {
    Result<PythonProfileResult> ran = RunPythonProfile(context, PythonOptions());
    if (!ran.ok()) return std::move(ran).error();
    if (ran.value().outcome) return std::move(*ran.value().outcome);
    const report::ProfileReport& report = ran.value().report;
    Status written = Write(report, context);
    if (!written.ok()) return std::move(written).error();
    AddNotes(report, context);
    const std::optional<NotObserved>& no_trace = ran.value().no_trace;
    if (!no_trace) return pipeline::Done{Summary(report)};
    context.SetOutcome(no_trace->outcome);
    if (no_trace->outcome == "ProfilerBusy") {  // Intended by the program.
      return pipeline::Done{
          fmt::format("n={}, not profiled: ProfilerBusy", report.metrics.samples.size())};
    }
    return Error(ErrorCode::kTool, no_trace->outcome + ": " + no_trace->reason);
  }

  Result<std::string> Profile(pipeline::StageContext& context) const {
    pipeline::PlannedCommand command = context.plan().commands.front();
    const pipeline::WorkloadPlace place =
        context.place().ForOutput(pipeline::WorkloadTask::kProfile);
    command.command = context.place().workload.AsCommand(place);
    RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(place));
    RIDGELINE_TRY(const os::ProcessResult ran, context.Run(command));
    RIDGELINE_RETURN_IF_ERROR(CheckModelEnd(context, command, ran));
    RIDGELINE_TRY(const report::ProfileReport report, ReadReport(context.place()));
    RIDGELINE_RETURN_IF_ERROR(Write(report, context));
    AddNotes(report, context);
    return Summary(report);
  }

  Result<report::ProfileReport> ReadReport(const pipeline::StagePlace& place) const {
    report::ProfileReport report;
    const fs::path& directory = place.directory;
    const fs::path metrics_path = directory / kMetricsFile;
    RIDGELINE_TRY(const std::string metrics, os::ReadFile(metrics_path));
    RIDGELINE_TRY(report.metrics,
                  profiles::ParseModelMetrics(metrics, metrics_path.string()));
    if (Records()) {
      const fs::path path = directory / profiles::kProfileFile;
      RIDGELINE_TRY(const std::string text, os::ReadFile(path));
      RIDGELINE_TRY(report.profile, profiles::ParseProfile(text, path.string()));
      if (Has(report.profile->activities, "cuda")) {
        RIDGELINE_TRY(const profiles::Profile trace,
                      profiles::OpenProfile(directory / profiles::kTraceFile));
        report.device_times = DeviceTimesOf(std::get<results::TraceRows>(trace.rows));
      }
    }
    Result<analysis::MeasuredRun> measured =
        MeasureUtilisation(options_.estimate, place.ceilings_file, report.metrics);
    if (measured.ok()) {
      report.efficiency = std::move(measured).value();
    } else {
      report.why_no_efficiency = "Unknown: " + measured.error().message() + ".";
    }
    return report;
  }

  static Status Write(const report::ProfileReport& report,
                      const pipeline::StageContext& context) {
    if (report.profile) {
      RIDGELINE_RETURN_IF_ERROR(context.Write(
          "operators.md", report::OperatorsMarkdown(*report.profile) +
                              report::DeviceTimesMarkdown(report.device_times)));
    }
    RIDGELINE_RETURN_IF_ERROR(context.Write("report.md", report::ReportMarkdown(report)));
    return context.Write("stakeholder_summary.md", report::StakeholderSummary(report));
  }

  // Notes printed in addition to the reports.
  void AddNotes(const report::ProfileReport& report,
                pipeline::StageContext& context) const {
    if (options_.enabled && !Records()) {
      context.Note(
          "NothingProfiled: pipeline.torch_profiler.activities does not contain cpu; "
          "GPU kernels are captured by the nsys stage");
    }
    NotePages(report.metrics, context);
    if (report.profile) {
      for (const std::string& note : report.profile->notes) context.Note(note);
    }
    for (std::string& warning : report::DriftWarnings(report.metrics)) {
      context.Note(std::move(warning));
    }
  }

  std::string Summary(const report::ProfileReport& report) const {
    std::string text = fmt::format("n={}", report.metrics.samples.size());
    if (!Records()) text += ", profiler off";
    if (!report.profile) return text;
    text += ", " + Plural(report.profile->events, "event");
    if (const auto slowdown = profiles::SlowdownOf(*report.profile)) {
      text += ", profiling overhead " + report::OverheadText(*slowdown);
    }
    return text;
  }

  TorchProfilerOptions options_;
};

}  // namespace

config::Result<std::unique_ptr<pipeline::Stage>> MakeTorchProfiler(
    const pipeline::StageConfig& config) {
  TorchProfilerOptions options;
  RIDGELINE_TRY(options.estimate,
                models::ReadOptions(config.workspace, config.root,
                                    pipeline::ConfigDirectory(config.workspace)));
  config::Reader reader(config.workspace, config.section);
  reader.ReadOptional("enabled", options.enabled);
  reader.ReadOptional("activities", options.activities);
  reader.ReadOptional("group_by_input_shape", options.group_by_input_shape);
  reader.ReadOptional("warmup_rounds", options.warmup_rounds);
  return std::unique_ptr<pipeline::Stage>(
      std::make_unique<TorchProfiler>(std::move(options)));
}

namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kTorchProfilerKeys[] = {
    {.path = "pipeline.torch_profiler.enabled", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.torch_profiler.activities",
     .kind = kTextList,
     .choices = "cpu|cuda",
     .otherwise = "[cpu, cuda]"},
    {.path = "pipeline.torch_profiler.record_shapes",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler.profile_memory",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler.with_stack", .kind = kBool, .otherwise = "false"},
    {.path = "pipeline.torch_profiler.group_by_input_shape",
     .kind = kBool,
     .otherwise = "false"},
    {.path = "pipeline.torch_profiler.warmup_rounds",
     .kind = kInteger,
     .min = 0,
     .otherwise = "2"},
    {.path = "pipeline.torch_profiler.warmup_synthetic",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.torch_profiler.enable",
     .kind = kBool,
     .otherwise = "${pipeline.torch_profiler.enabled}"},
    {.path = "pipeline.torch_profiler.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "3600"},
};

void CheckShapes(pipeline::ConfigValues& values) {
  if (values.IsTrue("pipeline.torch_profiler.group_by_input_shape", false) &&
      !values.IsTrue("pipeline.torch_profiler.record_shapes", false)) {
    values.Fail("pipeline.torch_profiler.group_by_input_shape",
                "needs pipeline.torch_profiler.record_shapes=true");
  }
}

}  // namespace

pipeline::KeyGroup TorchProfilerKeys() { return {kTorchProfilerKeys, CheckShapes}; }

}  // namespace ridgeline::stages
