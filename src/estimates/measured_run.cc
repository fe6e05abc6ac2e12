#include "estimates/measured_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifacts/run_dir.h"
#include "base/json.h"
#include "cost/roofline.h"
#include "estimates/static_report.h"
#include "models/deepseek_ocr/ledger.h"
#include "os/files.h"

namespace ridgeline::estimates {
namespace {

namespace ocr = models::deepseek_ocr;
using SortedJson = nlohmann::json;

// The vendor cuts a page into at most so many crops.
constexpr int kMostCrops = 9;

// More is a broken file.
constexpr int64_t kMostTokens = int64_t{1} << 31;

// What is outside is no time, and no roof, but a broken file; quotients of what is inside
// are numbers.
constexpr double kLeastSeconds = 1e-9;
constexpr double kMostSeconds = 1e9;
constexpr double kLeastRoof = 1;
constexpr double kMostRoof = 1e24;

// What of the run's report is needed to count a sample.
struct Basis {
  std::string device;
  ocr::Dimensions dimensions;
  ocr::PreprocessOptions preprocess;
  ocr::ByteWidths bytes;
  int64_t text_tokens = 0;
  cost::RoofRates roofs;
};

Error Broken(const std::string& what) { return {ErrorCode::kParse, what}; }

// Null where the path ends early.
SortedJson At(const SortedJson& json, const char* pointer) {
  const SortedJson::json_pointer path(pointer);
  return json.contains(path) ? json.at(path) : SortedJson();
}

Result<std::optional<double>> RoofAt(const SortedJson& json, const char* pointer) {
  const std::optional<double> roof = ValueAt<double>(json, pointer);
  if (roof && !(*roof >= kLeastRoof && *roof <= kMostRoof)) {
    return Broken(std::string("static_compute.json: ") + pointer +
                  ": not a peak rate: " + DumpJson(At(json, pointer)));
  }
  return roof;
}

// 0: was not measured.
Result<double> SecondsAt(const SortedJson& sample, const char* pointer) {
  const double seconds = ValueAt<double>(sample, pointer).value_or(0);
  if (seconds != 0 && !(seconds >= kLeastSeconds && seconds <= kMostSeconds)) {
    return Broken(std::string("metrics.json: ") + pointer +
                  ": not a duration: " + DumpJson(At(sample, pointer)));
  }
  return seconds;
}

Result<Basis> ReadBasis(std::string_view text) {
  const SortedJson json = ParseJson<SortedJson>(text);
  if (!json.is_object() ||
      At(json, "/schema_version") != SortedJson(kStaticReportVersion)) {
    return Broken("static_compute.json: not a report of this version");
  }
  Basis basis;
  RIDGELINE_TRY(basis.dimensions, ocr::ParseDimensions(DumpJson(At(json, "/dimensions")),
                                                       "static_compute.json"));
  const SortedJson device = At(json, "/roofs/device");
  basis.device = device.is_string() ? device.get<std::string>() : "a device";
  RIDGELINE_TRY(basis.roofs.flops_per_s, RoofAt(json, "/roofs/compute_flops_per_s"));
  RIDGELINE_TRY(basis.roofs.bytes_per_s, RoofAt(json, "/roofs/memory_bytes_per_s"));
  const auto size = [&json](const char* pointer) {
    return static_cast<int>(
        std::clamp<int64_t>(ValueAt<int64_t>(json, pointer).value_or(0), 0, 1 << 16));
  };
  basis.preprocess = {
      .enable = At(json, "/shapes/preprocess/enable") == SortedJson(true),
      .base_size = size("/shapes/preprocess/base_size"),
      .image_size = size("/shapes/preprocess/image_size"),
      .crop_mode = At(json, "/shapes/preprocess/crop_mode") == SortedJson(true)};
  basis.bytes = {
      .weights = ValueAt<int64_t>(json, "/shapes/bytes_per_value/weights").value_or(0),
      .router_weights =
          ValueAt<int64_t>(json, "/shapes/bytes_per_value/router_weights").value_or(0),
      .activations =
          ValueAt<int64_t>(json, "/shapes/bytes_per_value/activations").value_or(0),
      .kv = ValueAt<int64_t>(json, "/shapes/bytes_per_value/kv").value_or(0)};
  basis.text_tokens = std::clamp<int64_t>(
      ValueAt<int64_t>(json, "/shapes/text_tokens").value_or(0), 0, kMostTokens);
  if (!basis.roofs.flops_per_s || !basis.roofs.bytes_per_s) {
    return Error(ErrorCode::kUnsupported,
                 "peak FLOP/s or peak bandwidth of " + basis.device +
                     ", the device of the run, is unknown; run it again with "
                     "hardware.peak_tflops and hardware.peak_gbps");
  }
  return basis;
}

// The crops follow from the number of image tokens. Nothing if no grid has as many.
std::optional<ocr::LedgerShapes> ShapesOfSample(const Basis& basis,
                                                int64_t prompt_tokens) {
  for (int rows = 1; rows <= kMostCrops; ++rows) {
    for (int cols = 1; cols * rows <= kMostCrops; ++cols) {
      Result<ocr::LedgerShapes> shapes = ocr::ShapesOfPage(
          {.cols = cols, .rows = rows}, basis.preprocess, basis.text_tokens);
      if (shapes.ok() && shapes.value().prompt_tokens == prompt_tokens) {
        return std::move(shapes).value();
      }
    }
  }
  return std::nullopt;
}

void Add(const cost::Cost& cost, const Basis& basis, double measured_s,
         std::optional<Efficiency>& efficiency) {
  const std::optional<double> distance =
      cost::UtilizationOf(cost, basis.roofs, measured_s).distance;
  if (!distance || !(*distance > 0)) return;
  const double value = 1 / *distance;
  if (!efficiency) efficiency = Efficiency{.least = value, .most = value};
  efficiency->least = std::min(efficiency->least, value);
  efficiency->most = std::max(efficiency->most, value);
  ++efficiency->samples;
}

void AddTotal(const char* name, const cost::Cost& cost, double seconds,
              MeasuredRun& run) {
  auto found =
      std::find_if(run.totals.begin(), run.totals.end(),
                   [name](const PhaseTotal& total) { return total.name == name; });
  if (found == run.totals.end())
    found = run.totals.insert(run.totals.end(), {name, {}, 0});
  found->cost += cost;
  found->seconds += seconds;
}

void AddRegion(const std::string& path, int64_t instances, const cost::Cost& cost,
               MeasuredRun& run) {
  auto found =
      std::find_if(run.regions.begin(), run.regions.end(),
                   [&path](const RegionCost& region) { return region.path == path; });
  if (found == run.regions.end())
    found = run.regions.insert(run.regions.end(), {path, 0, {}});
  found->instances += instances;
  found->cost += cost;
}

// By the names that networks/deepseek_ocr gives its regions.
void AddRegions(const ocr::Ledger& ledger, int64_t decode_steps, MeasuredRun& run) {
  cost::Cost prefill = ledger.vision.cost;
  prefill += ledger.prefill.cost;
  AddRegion("prefill", 1, prefill, run);
  for (const char* module : {"sam", "clip", "projector"}) {
    const cost::CostNode* node = cost::FindModule(ledger.vision, module);
    if (node != nullptr) AddRegion(std::string("prefill/") + module, 1, node->cost, run);
  }
  AddRegion("decode", 1, ledger.decode.cost, run);
  AddRegion("decode/decode_step", decode_steps, ledger.decode.cost, run);
}

Status AddSample(const SortedJson& sample, const Basis& basis, MeasuredRun& run) {
  std::optional<ocr::LedgerShapes> shapes =
      ShapesOfSample(basis, ValueAt<int64_t>(sample, "/prompt_tokens").value_or(0));
  if (!shapes) {
    return Broken("metrics.json: a prompt of " + DumpJson(At(sample, "/prompt_tokens")) +
                  " tokens does not fit static_compute.json");
  }
  shapes->bytes = basis.bytes;
  shapes->decode_steps =
      std::max<int64_t>(0, ValueAt<int64_t>(sample, "/decode_steps").value_or(0));
  RIDGELINE_TRY(const ocr::Ledger ledger, ocr::MakeLedger(basis.dimensions, *shapes));
  RIDGELINE_TRY(const double vision_s, SecondsAt(sample, "/vision_s"));
  RIDGELINE_TRY(const double until_prefill_s, SecondsAt(sample, "/prefill_s"));
  RIDGELINE_TRY(const double decode_s, SecondsAt(sample, "/decode_s"));
  // The model's clock of prefill holds vision.
  const double prefill_s = until_prefill_s > 0 ? until_prefill_s - vision_s : 0;
  if (prefill_s < 0) return Broken("metrics.json: prefill_s is less than vision_s");
  Add(ledger.vision.cost, basis, vision_s, run.vision);
  Add(ledger.prefill.cost, basis, prefill_s, run.prefill);
  if (shapes->decode_steps > 0) Add(ledger.decode.cost, basis, decode_s, run.decode);
  AddTotal("vision", ledger.vision.cost, vision_s, run);
  AddTotal("prefill", ledger.prefill.cost, prefill_s, run);
  AddTotal("decode", ledger.decode.cost, decode_s, run);
  AddRegions(ledger, shapes->decode_steps, run);
  ++run.samples;
  return Ok();
}

}  // namespace

Result<MeasuredRun> MeasureRun(std::string_view static_json,
                               std::string_view metrics_json) {
  RIDGELINE_TRY(const Basis basis, ReadBasis(static_json));
  const SortedJson metrics = ParseJson<SortedJson>(metrics_json);
  const SortedJson samples = metrics.is_object() ? At(metrics, "/samples") : SortedJson();
  if (!samples.is_array() || samples.empty()) {
    return Broken("metrics.json: no samples of a model");
  }
  MeasuredRun run;
  run.device = basis.device;
  run.roofs = basis.roofs;
  for (const SortedJson& sample : samples) {
    RIDGELINE_RETURN_IF_ERROR(AddSample(sample, basis, run));
  }
  PhaseTotal page{.name = "page", .cost = {}, .seconds = 0};
  for (const PhaseTotal& total : run.totals) {
    page.cost += total.cost;
    page.seconds += total.seconds;
  }
  run.totals.push_back(std::move(page));
  return run;
}

Result<MeasuredRun> ReadMeasuredRun(const std::filesystem::path& run_directory,
                                    const std::filesystem::path& metrics_file) {
  const artifacts::RunDir run(run_directory);
  RIDGELINE_TRY(const std::string report,
                os::ReadFile(run.stage("static_analysis") / kStaticReportJson));
  RIDGELINE_TRY(const std::string metrics, os::ReadFile(run_directory / metrics_file));
  Result<MeasuredRun> measured = MeasureRun(report, metrics);
  if (!measured.ok()) return std::move(measured).error().While(run_directory.string());
  return measured;
}

}  // namespace ridgeline::estimates
