#include "stages/static_analysis.h"

#include <fmt/format.h>

#include <utility>

#include "config/reader.h"
#include "hardware/ceilings.h"
#include "hardware/gpu_peaks.h"
#include "models/estimate.h"
#include "models/registry.h"
#include "os/files.h"
#include "pipeline/stage_context.h"
#include "pipeline/workload_directory.h"
#include "profiles/op_counts.h"
#include "profiles/static_compute.h"
#include "report/sections/static_report.h"
#include "stages/shared/python_model.h"
#include "stages/shared/python_run.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;
using profiles::StaticReport;

struct StaticAnalysisOptions {
  models::EstimateOptions estimate;
  bool write_reports = true;
  bool count_operators = true;
  // Operators not counted by the dispatcher are taken from the closed form.
  bool use_analytic_fallback = true;
};

Result<std::optional<cost::FlopCheck>> CheckCount(const fs::path& directory,
                                                  const models::Model& model,
                                                  cost::SampleShape shape) {
  using Nothing = std::optional<cost::FlopCheck>;
  const fs::path path = directory / profiles::kOpCountsFile;
  if (!os::Exists(path)) return Nothing();
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  RIDGELINE_TRY(const profiles::OpCounts counts,
                profiles::ParseOpCounts(text, path.string()));
  shape.decode_steps = counts.decode_steps.value_or(shape.decode_steps);
  RIDGELINE_TRY(const cost::Ledger ledger, model.LedgerOf(shape));
  return Nothing(cost::CheckFlops(ledger, profiles::PhasesOf(counts)));
}

// Ceilings measured on the GPU by ridgeline-model; nullopt if it did not measure.
Result<std::optional<hardware::MeasuredCeilings>> ReadMeasuredGpu(
    const fs::path& directory) {
  using Nothing = std::optional<hardware::MeasuredCeilings>;
  const fs::path path = directory / hardware::kGpuPeaksFile;
  if (!os::Exists(path)) return Nothing();
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  RIDGELINE_TRY(const hardware::GpuPeaks peaks,
                hardware::ParseGpuPeaks(text, path.string()));
  return Nothing(hardware::CeilingsOf(peaks));
}

Result<StaticReport> MakeReport(const models::EstimateOptions& options,
                                const pipeline::StagePlace& place) {
  const fs::path& directory = place.directory;
  hardware::CeilingSources sources = hardware::ThisMachine();
  RIDGELINE_TRY(sources.measured_gpu, ReadMeasuredGpu(directory));
  RIDGELINE_TRY(hardware::DeviceCeilings device,
                hardware::CeilingsOfRun(place.ceilings_file, options.device, sources));
  RIDGELINE_TRY(const std::unique_ptr<models::Model> model, models::OpenModel(options));
  RIDGELINE_TRY(cost::Estimate estimate,
                models::EstimateSample(*model, options, device.kind));
  RIDGELINE_TRY(auto flop_check, CheckCount(directory, *model, estimate.shape));
  return StaticReport{std::move(estimate), std::move(device), std::move(flop_check)};
}

// All modules were counted and match the ledger.
bool Passed(const cost::FlopCheck& check) {
  using Kind = cost::ReconciledRow::Kind;
  return check.CountOf(Kind::kDiffers) + check.CountOf(Kind::kNotInLedger) +
             check.CountOf(Kind::kNotCounted) ==
         0;
}

std::string PassedText(const StaticReport& report) {
  if (!report.flop_check || !Passed(*report.flop_check)) return "";
  const size_t equal = report.flop_check->CountOf(cost::ReconciledRow::Kind::kEqual);
  return fmt::format(", FLOP check passed ({}/{} modules)", equal, equal);
}

// Notes appear with the results, not only in the report.
void NoteUnknownCeilings(const StaticReport& report, pipeline::StageContext& context) {
  const hardware::Ceilings& ceilings = report.device.ceilings;
  const bool same =
      ceilings.peak_flops_source.text == ceilings.peak_bandwidth_source.text;
  if (!ceilings.compute_flops_per_s) {
    context.Note((same ? "peak FLOP/s and bandwidth" : "peak FLOP/s") +
                 (" unknown: " + ceilings.peak_flops_source.text));
  }
  if (!ceilings.memory_bytes_per_s && (!same || ceilings.compute_flops_per_s)) {
    context.Note("peak bandwidth unknown: " + ceilings.peak_bandwidth_source.text);
  }
}

class StaticAnalysis final : public pipeline::Stage {
 public:
  explicit StaticAnalysis(StaticAnalysisOptions options) : options_(std::move(options)) {}

  pipeline::StagePlan Plan(const pipeline::StagePlace& place) const override {
    if (place.workload.kind() == pipeline::WorkloadKind::kPython) {
      return PlanPythonModel(place);
    }
    pipeline::StagePlan plan;
    plan.skip = place.workload.IsModel()
                    ? models::WhyNotEstimated(options_.estimate.model)
                    : kNotPython;
    // The closed form also works in a build without libtorch.
    if (plan.skip.empty() && options_.count_operators &&
        place.workload.Unavailable().empty()) {
      plan.commands.push_back({.purpose = "operator count",
                               .command = place.workload.AsCommand(
                                   place.ForOutput(pipeline::WorkloadTask::kCount)),
                               .log = "count.log",
                               .output = {},
                               .command_file = "cmd.txt"});
    }
    if (options_.write_reports) {
      plan.writes = {profiles::kStaticComputeFile, report::kStaticReportMarkdown};
    }
    if (!plan.commands.empty()) {
      plan.writes.insert(plan.writes.end(),
                         {profiles::kOpCountsFile, "cmd.txt", "count.log"});
    }
    return plan;
  }

  pipeline::StageOutcome Run(pipeline::StageContext& context) override {
    if (context.place().workload.kind() == pipeline::WorkloadKind::kPython) {
      return RunPythonModel(context);
    }
    Status counted = CountOperators(context);
    if (!counted.ok()) return std::move(counted).error();
    Result<StaticReport> made = MakeReport(options_.estimate, context.place());
    if (!made.ok()) return std::move(made).error();
    const StaticReport& report = made.value();
    NoteUnknownCeilings(report, context);
    Status written = Write(report, context);
    if (!written.ok()) return std::move(written).error();
    if (report.flop_check) {
      // A passed check is part of the result; notes are for action.
      if (!Passed(*report.flop_check)) {
        context.Note(profiles::FlopCheckSentence(report.flop_check));
      }
      Status agrees = cost::CheckAgreement(
          *report.flop_check,
          options_.use_analytic_fallback ? cost::Fallback::kFill : cost::Fallback::kNone);
      if (!agrees.ok()) return std::move(agrees).error();
    }
    return pipeline::Done{report::StaticReportSummary(report) + PassedText(report)};
  }

 private:
  // Runs the network on one page and counts its operators.
  Status CountOperators(pipeline::StageContext& context) const {
    if (context.plan().commands.empty()) return Ok();
    const pipeline::PlannedCommand& command = context.plan().commands.front();
    RIDGELINE_RETURN_IF_ERROR(context.PrepareWorkload(
        context.place().ForOutput(pipeline::WorkloadTask::kCount)));
    RIDGELINE_TRY(const os::ProcessResult ran, context.Run(command));
    Status ended = context.CheckEnd(command, ran);
    if (ended.ok() || !options_.use_analytic_fallback) return ended;
    context.Note("operators were not counted; all figures are from the closed form: " +
                 ended.error().message());
    return Ok();
  }

  Status Write(const StaticReport& report, const pipeline::StageContext& context) const {
    if (!options_.write_reports) return Ok();
    RIDGELINE_RETURN_IF_ERROR(
        context.Write(profiles::kStaticComputeFile, profiles::ToJson(report)));
    return context.Write(report::kStaticReportMarkdown,
                         report::StaticReportMarkdown(report));
  }

  StaticAnalysisOptions options_;
};

}  // namespace

config::Result<std::unique_ptr<pipeline::Stage>> MakeStaticAnalysis(
    const pipeline::StageConfig& config) {
  StaticAnalysisOptions options;
  RIDGELINE_TRY(options.estimate,
                models::ReadOptions(config.workspace, config.root,
                                    pipeline::ConfigDirectory(config.workspace)));
  config::Reader reader(config.workspace, config.section);
  reader.ReadOptional("write_reports", options.write_reports);
  reader.ReadOptional("count_operators", options.count_operators);
  reader.ReadOptional("use_analytic_fallback", options.use_analytic_fallback);
  return std::unique_ptr<pipeline::Stage>(
      std::make_unique<StaticAnalysis>(std::move(options)));
}

namespace {

using pipeline::ConfigKey;
using enum pipeline::ValueKind;

constexpr ConfigKey kStaticAnalysisKeys[] = {
    {.path = "pipeline.static_analysis.enable", .kind = kBool, .otherwise = "true"},
    {.path = "pipeline.static_analysis.write_reports",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.static_analysis.use_analytic_fallback",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.static_analysis.count_operators",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.static_analysis.use_synthetic_inputs",
     .kind = kBool,
     .otherwise = "true"},
    {.path = "pipeline.static_analysis.timeout_s",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "600"},
    {.path = "hardware.peak_tflops",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "null"},
    {.path = "hardware.peak_gbps",
     .kind = kNumber,
     .nullable = true,
     .above = 0,
     .otherwise = "null"},
};

}  // namespace

pipeline::KeyGroup StaticAnalysisKeys() { return {kStaticAnalysisKeys}; }

}  // namespace ridgeline::stages
