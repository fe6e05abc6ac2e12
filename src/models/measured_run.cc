#include "models/measured_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "artifacts/run_dir.h"
#include "models/registry.h"
#include "os/files.h"

namespace ridgeline::models {
namespace {

using analysis::MeasuredRun;
using analysis::MeasuredSample;
using analysis::RegionCost;
using profiles::ModelSample;

constexpr const char* kMetricsFile = "metrics.json";

// Values outside indicate a corrupt file, not a real time or ceiling; quotients of values
// inside are finite.
constexpr double kMinSeconds = 1e-9;
constexpr double kMaxSeconds = 1e9;
constexpr double kMinCeiling = 1;
constexpr double kMaxCeiling = 1e24;

Error BrokenRun(const std::string& what) { return {ErrorCode::kParse, what}; }

Status CheckCeiling(const char* what, const std::optional<double>& rate) {
  if (!rate || (*rate >= kMinCeiling && *rate <= kMaxCeiling)) return Ok();
  return BrokenRun(fmt::format("{}: {}: not a peak rate: {}",
                               profiles::kStaticComputeFile, what, *rate));
}

Status CheckBasis(const RunBasis& basis) {
  RIDGELINE_RETURN_IF_ERROR(CheckCeiling("peak FLOP/s", basis.ceilings.flops_per_s));
  RIDGELINE_RETURN_IF_ERROR(CheckCeiling("peak bandwidth", basis.ceilings.bytes_per_s));
  if (basis.ceilings.flops_per_s && basis.ceilings.bytes_per_s) return Ok();
  return Error(ErrorCode::kUnsupported,
               "peak FLOP/s or peak bandwidth of " + basis.device +
                   ", the device of the run, is unknown; run it again with "
                   "hardware.peak_tflops and hardware.peak_gbps");
}

// 0: not measured.
Result<double> SecondsOf(const ModelSample& sample, std::string_view phase) {
  const double seconds = sample.SecondsOf(phase).value_or(0);
  if (seconds != 0 && !(seconds >= kMinSeconds && seconds <= kMaxSeconds)) {
    return BrokenRun(
        fmt::format("{}: {}_s: not a duration: {}", kMetricsFile, phase, seconds));
  }
  return seconds;
}

// Without phases that are included in the model's clock.
Result<double> PhaseSecondsOf(const ModelSample& sample, const PhaseClock& clock) {
  RIDGELINE_TRY(const double seconds, SecondsOf(sample, clock.phase));
  if (clock.includes.empty() || !(seconds > 0)) return seconds;
  RIDGELINE_TRY(const double included_s, SecondsOf(sample, clock.includes));
  if (seconds < included_s) {
    return BrokenRun(fmt::format("{}: {}_s is less than {}_s", kMetricsFile, clock.phase,
                                 clock.includes));
  }
  return seconds - included_s;
}

Result<cost::SampleShape> ShapeOfSample(const ModelSample& sample, const Model& model,
                                        const RunBasis& basis) {
  const int64_t tokens = sample.prompt_tokens.value_or(0);
  std::optional<cost::SampleShape> shape =
      model.ShapeOfTokens(tokens, basis.text_tokens, basis.preprocess);
  if (!shape) {
    return BrokenRun(fmt::format("{}: a prompt of {} tokens does not fit {}",
                                 kMetricsFile, tokens, profiles::kStaticComputeFile));
  }
  shape->bytes = basis.bytes;
  shape->decode_steps = std::max<int64_t>(0, sample.decode_steps.value_or(0));
  return *std::move(shape);
}

// Unique paths, in the model's order.
std::vector<RegionCost> RegionsOf(const Model& model, const cost::Ledger& ledger,
                                  int64_t decode_steps) {
  std::vector<RegionCost> regions;
  for (const RegionSpec& spec : model.regions()) {
    const cost::CostNode* const phase = ledger.Find(spec.phase);
    if (phase == nullptr) continue;
    const cost::CostNode* const node =
        spec.module.empty() ? phase : cost::FindModule(*phase, spec.module);
    if (node == nullptr) continue;
    auto found = std::find_if(
        regions.begin(), regions.end(),
        [&spec](const RegionCost& region) { return region.path == spec.path; });
    if (found == regions.end()) {
      found = regions.insert(
          regions.end(), {std::string(spec.path), spec.per_step ? decode_steps : 1, {}});
    }
    found->cost += node->cost;
  }
  return regions;
}

Result<MeasuredSample> MeasureSample(const ModelSample& sample, const Model& model,
                                     const RunBasis& basis) {
  RIDGELINE_TRY(const cost::SampleShape shape, ShapeOfSample(sample, model, basis));
  RIDGELINE_TRY(const cost::Ledger ledger, model.LedgerOf(shape));
  MeasuredSample measured;
  for (const PhaseClock& clock : model.clocks()) {
    RIDGELINE_TRY(const double seconds, PhaseSecondsOf(sample, clock));
    measured.phases.push_back(
        {std::string(clock.phase), ledger.phase(clock.phase).cost, seconds});
  }
  measured.regions = RegionsOf(model, ledger, shape.decode_steps);
  return measured;
}

}  // namespace

RunBasis BasisOf(const cost::Estimate& estimate, const hardware::DeviceCeilings& device) {
  return {.device = device.device,
          .ceilings = device.rates(),
          .preprocess = estimate.preprocess,
          .bytes = estimate.shape.bytes,
          .text_tokens = estimate.shape.text_tokens()};
}

Result<MeasuredRun> MeasureRun(const Model& model, const RunBasis& basis,
                               const profiles::ModelMetrics& metrics) {
  RIDGELINE_RETURN_IF_ERROR(CheckBasis(basis));
  if (metrics.samples.empty()) {
    return BrokenRun(std::string(kMetricsFile) + ": no samples of a model");
  }
  MeasuredRun run = {.device = basis.device, .ceilings = basis.ceilings};
  for (const ModelSample& sample : metrics.samples) {
    RIDGELINE_TRY(const MeasuredSample measured, MeasureSample(sample, model, basis));
    AddSample(measured, run);
  }
  AddPageTotal(run);
  return run;
}

Result<MeasuredRun> MeasureRun(std::string_view static_json,
                               std::string_view metrics_json) {
  const std::string origin = profiles::kStaticComputeFile;
  RIDGELINE_TRY(const profiles::StaticCompute report,
                profiles::ParseStaticCompute(static_json, origin));
  RIDGELINE_TRY(const std::unique_ptr<Model> model,
                OpenModel(report.model, {.config_json = report.config_json,
                                         .origin = origin,
                                         .path = {},
                                         .preset = {}}));
  RIDGELINE_TRY(const profiles::ModelMetrics metrics,
                profiles::ParseModelMetrics(metrics_json, kMetricsFile));
  return MeasureRun(*model,
                    {.device = report.device,
                     .ceilings = report.ceilings,
                     .preprocess = report.preprocess,
                     .bytes = report.bytes,
                     .text_tokens = report.text_tokens},
                    metrics);
}

Result<MeasuredRun> ReadMeasuredRun(const std::filesystem::path& run_directory,
                                    const std::filesystem::path& metrics_file) {
  const artifacts::RunDir run(run_directory);
  RIDGELINE_TRY(const std::string report, os::ReadFile(run.stage("static_analysis") /
                                                       profiles::kStaticComputeFile));
  RIDGELINE_TRY(const std::string metrics, os::ReadFile(run_directory / metrics_file));
  Result<MeasuredRun> measured = MeasureRun(report, metrics);
  if (!measured.ok()) return std::move(measured).error().While(run_directory.string());
  return measured;
}

}  // namespace ridgeline::models
