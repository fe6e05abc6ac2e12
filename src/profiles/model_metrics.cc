#include "profiles/model_metrics.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;
using results::PhaseSample;

constexpr int kMetricsVersion = 2;
constexpr double kMaxS = 9e9;  // Limit of nanoseconds in 64 bits.
constexpr std::string_view kEndToEnd = "end_to_end";
constexpr const char* kStop = "stop";      // The model ended its output.
constexpr const char* kLength = "length";  // The token limit was reached.
constexpr std::string_view kPreprocess = "preprocess";
constexpr std::string_view kDecode = "decode";

// --- writing

// Null without decode steps, or if their number is unknown (0).
std::optional<double> PerSecond(int64_t steps, double seconds) {
  if (steps == 0 || !(seconds > 0)) return std::nullopt;
  return static_cast<double>(steps) / seconds;
}

void AddSample(const ModelSample& sample, Json& json) {
  json.update({{"image", sample.image},
               {"prompt_tokens", OrNull(sample.prompt_tokens)},
               {"generated_tokens", OrNull(sample.generated_tokens)},
               {"decode_steps", OrNull(sample.decode_steps)},
               {"finish_reason", Json()}});
  if (sample.reached_end) json["finish_reason"] = *sample.reached_end ? kStop : kLength;
  for (const PhaseSeconds& time : sample.times) json[time.phase + "_s"] = time.seconds;
  json["decode_tokens_per_s"] = OrNull(
      PerSecond(sample.decode_steps.value_or(0), sample.SecondsOf(kDecode).value_or(0)));
}

Json SampleJson(const ModelSample& sample) {
  Json json = {{"repeat", sample.repeat}, {"epoch", sample.epoch}};
  AddSample(sample, json);
  return json;
}

Json FailuresJson(const ModelMetrics& metrics) {
  Json json = Json::array();
  for (const PageFailure& failure : metrics.failures) {
    json.push_back({{"image", failure.image}, {"reason", failure.reason}});
  }
  return json;
}

Json ProfiledJson(const ModelSample& sample) {
  Json json = {{"what", "the profiled sample; its times are not in the totals above"}};
  AddSample(sample, json);
  return json;
}

int64_t DecodeSteps(const ModelMetrics& metrics) {
  int64_t steps = 0;
  for (const ModelSample& sample : metrics.samples) {
    steps += sample.decode_steps.value_or(0);
  }
  return steps;
}

// Per phase, in order of first appearance.
std::vector<PhaseSeconds> PhaseSums(const ModelMetrics& metrics) {
  std::vector<PhaseSeconds> sums;
  for (const ModelSample& sample : metrics.samples) {
    for (const PhaseSeconds& time : sample.times) {
      if (time.phase == kEndToEnd || time.phase == kPreprocess) continue;
      auto found = std::find_if(sums.begin(), sums.end(), [&](const PhaseSeconds& sum) {
        return sum.phase == time.phase;
      });
      if (found == sums.end()) found = sums.insert(sums.end(), {time.phase, 0});
      found->seconds += time.seconds;
    }
  }
  return sums;
}

Json TotalsJson(const ModelMetrics& metrics) {
  Json json = Json::object();
  for (const PhaseSeconds& sum : PhaseSums(metrics)) json[sum.phase + "_s"] = sum.seconds;
  json["generated_tokens"] = metrics.generated_tokens();
  json["decode_steps"] = DecodeSteps(metrics);
  json["decode_tokens_per_s"] = OrNull(metrics.decode_tokens_per_s());
  return json;
}

Json QuantityJson(const MeasuredQuantity& quantity) {
  const results::Summary& summary = quantity.summary;
  Json json = {{"count", summary.count},
               {"mean", summary.mean},
               {"std", OrNull(summary.deviation)},
               {"median", summary.median},
               {"p90", summary.p90},
               {"p99", summary.p99},
               {"min", summary.min},
               {"max", summary.max},
               {"mean_ci95", Json()},
               {"drift", Json()}};
  if (summary.mean_interval) {
    json["mean_ci95"] = {summary.mean_interval->low, summary.mean_interval->high};
  }
  if (quantity.drift) {
    json["drift"] = {{"change", quantity.drift->change}, {"z", quantity.drift->z}};
  }
  return json;
}

Json UtilizationJson(const CallUtilization& utilization) {
  Json json = {
      {"what",
       "FLOPs of the profiled call, from the shapes of its operators; unprofiled times "
       "of the same call"},
      {"device", utilization.device},
      {"peak_flops_per_s", OrNull(utilization.peak_flops_per_s)},
      {"peak_bytes_per_s", OrNull(utilization.peak_bytes_per_s)},
      {"phases", Json::array()}};
  for (const CallUtilization::Phase& phase : utilization.phases) {
    json["phases"].push_back(
        {{"name", phase.name}, {"time_s", phase.seconds}, {"flops", phase.flops}});
  }
  return json;
}

// --- reading

Error Broken(const std::string& what) { return {ErrorCode::kParse, what}; }

// "vision_s" is a time, "decode_tokens_per_s" is not.
bool IsTime(std::string_view key) {
  return key.ends_with("_s") && !key.ends_with("_per_s");
}

// The whole sample was called "page" in version 1.
std::string PhaseOf(std::string_view key) {
  const std::string_view phase = key.substr(0, key.size() - 2);
  return std::string(phase == "page" ? kEndToEnd : phase);
}

bool IsTrue(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && *found == Json(true);
}

// Version 1 has a boolean.
std::optional<bool> ReachedEnd(const Json& json) {
  if (json.contains("reached_end")) return IsTrue(json, "reached_end");
  const auto reason = MemberIn<std::string>(json, "finish_reason");
  if (!reason) return std::nullopt;
  return *reason == kStop;
}

Result<ModelSample> ParseSample(const Json& json) {
  if (!json.is_object()) return Broken("a sample is not an object");
  ModelSample sample = {.image = MemberIn<std::string>(json, "image").value_or(""),
                        .repeat = MemberIn<int64_t>(json, "repeat").value_or(0),
                        .epoch = MemberIn<int64_t>(json, "epoch").value_or(0),
                        .prompt_tokens = MemberIn<int64_t>(json, "prompt_tokens"),
                        .generated_tokens = MemberIn<int64_t>(json, "generated_tokens"),
                        .decode_steps = MemberIn<int64_t>(json, "decode_steps"),
                        .reached_end = ReachedEnd(json),
                        .times = {}};
  for (const auto& [key, value] : json.items()) {
    if (!IsTime(key)) continue;
    if (!value.is_number() || !(std::abs(value.get<double>()) < kMaxS)) {
      return Broken("'" + key + "': expected seconds");
    }
    sample.times.push_back({PhaseOf(key), value.get<double>()});
  }
  return sample;
}

Result<MeasuredQuantity> ParseQuantity(const std::string& name, const Json& json) {
  const auto mean = json.is_object() ? MemberIn<double>(json, "mean") : std::nullopt;
  const auto count = json.is_object() ? MemberIn<int64_t>(json, "count") : std::nullopt;
  if (!mean || count.value_or(0) < 1) {
    return Broken("'statistics." + name + "': missing 'mean'");
  }
  const auto value = [&](const char* key) {
    return MemberIn<double>(json, key).value_or(*mean);
  };
  MeasuredQuantity quantity = {.name = name,
                               .summary = {.count = static_cast<size_t>(*count),
                                           .mean = *mean,
                                           .deviation = MemberIn<double>(json, "std"),
                                           .median = value("median"),
                                           .p90 = value("p90"),
                                           .p99 = value("p99"),
                                           .min = value("min"),
                                           .max = value("max"),
                                           .mean_interval = {}},
                               .drift = {}};
  const auto interval = json.find("mean_ci95");
  if (interval != json.end() && interval->is_array() && interval->size() == 2 &&
      (*interval)[0].is_number() && (*interval)[1].is_number()) {
    quantity.summary.mean_interval = {(*interval)[0].get<double>(),
                                      (*interval)[1].get<double>()};
  }
  const auto drift = json.find("drift");
  if (drift != json.end() && drift->is_object()) {
    quantity.drift = {MemberIn<double>(*drift, "change").value_or(0),
                      MemberIn<double>(*drift, "z").value_or(0)};
  }
  return quantity;
}

Status ParseSampleList(const Json& list, std::vector<ModelSample>& samples) {
  if (!list.is_array()) return Broken("missing list 'samples' or 'runs'");
  for (const Json& item : list) {
    RIDGELINE_TRY(ModelSample sample, ParseSample(item));
    samples.push_back(std::move(sample));
  }
  return Ok();
}

// Samples of a model, whole runs of a program, or both: calls, and runs that made them.
Status ParseSamples(const Json& json, ModelMetrics& metrics) {
  const auto samples = json.find("samples");
  const auto runs = json.find("runs");
  if (samples == json.end()) {
    RIDGELINE_RETURN_IF_ERROR(
        ParseSampleList(runs == json.end() ? Json() : *runs, metrics.samples));
  } else {
    RIDGELINE_RETURN_IF_ERROR(ParseSampleList(*samples, metrics.samples));
    if (runs != json.end()) {
      RIDGELINE_RETURN_IF_ERROR(ParseSampleList(*runs, metrics.runs));
    }
  }
  const auto profiled = json.find("profiled");
  if (profiled == json.end()) return Ok();
  RIDGELINE_TRY(metrics.profiled, ParseSample(*profiled));
  return Ok();
}

Status ParseFailures(const Json& json, ModelMetrics& metrics) {
  const auto failures = json.find("failures");
  if (failures == json.end()) return Ok();
  if (!failures->is_array()) return Broken("'failures': expected a list");
  for (const Json& failure : *failures) {
    if (!failure.is_object()) return Broken("a failure is not an object");
    metrics.failures.push_back({MemberIn<std::string>(failure, "image").value_or(""),
                                MemberIn<std::string>(failure, "reason").value_or("")});
  }
  return Ok();
}

Status ParseStatistics(const Json& json, ModelMetrics& metrics) {
  const auto statistics = json.find("statistics");
  if (statistics == json.end()) return Ok();
  if (!statistics->is_object()) return Broken("'statistics': expected an object");
  for (const auto& [name, value] : statistics->items()) {
    RIDGELINE_TRY(MeasuredQuantity quantity, ParseQuantity(name, value));
    if (IsTime(name)) quantity.name = PhaseOf(name) + "_s";
    metrics.statistics.push_back(std::move(quantity));
  }
  return Ok();
}

Status ParseUtilization(const Json& json, ModelMetrics& metrics) {
  const auto found = json.find("utilization");
  if (found == json.end() || !found->is_object()) return Ok();
  CallUtilization utilization = {
      .device = MemberIn<std::string>(*found, "device").value_or(""),
      .peak_flops_per_s = MemberIn<double>(*found, "peak_flops_per_s"),
      .peak_bytes_per_s = MemberIn<double>(*found, "peak_bytes_per_s"),
      .phases = {}};
  const auto phases = found->find("phases");
  if (phases == found->end() || !phases->is_array()) {
    return Broken("'utilization': missing list 'phases'");
  }
  for (const Json& phase : *phases) {
    const auto name =
        phase.is_object() ? MemberIn<std::string>(phase, "name") : std::nullopt;
    const auto seconds =
        phase.is_object() ? MemberIn<double>(phase, "time_s") : std::nullopt;
    const auto flops =
        phase.is_object() ? MemberIn<int64_t>(phase, "flops") : std::nullopt;
    if (!name || !seconds || !flops || !(std::abs(*seconds) < kMaxS) || *flops < 0) {
      return Broken("'utilization': a phase needs 'name', 'time_s' and 'flops'");
    }
    utilization.phases.push_back({*name, *seconds, *flops});
  }
  metrics.utilization = std::move(utilization);
  return Ok();
}

Result<ModelMetrics> Parse(std::string_view text) {
  const auto json = ParseJson<Json>(text);
  const auto version =
      json.is_object() ? MemberIn<int64_t>(json, "schema_version") : std::nullopt;
  if (version.value_or(0) < 1 || *version > kMetricsVersion) {
    return Broken("not metrics of schema version 1 to " +
                  std::to_string(kMetricsVersion));
  }
  ModelMetrics metrics = {
      .model = MemberIn<std::string>(json, "model").value_or(""),
      .unit = MemberIn<std::string>(json, "sample_unit").value_or(kPageUnit),
      .device = MemberIn<std::string>(json, "device").value_or(""),
      .warmup_rounds = MemberIn<int64_t>(json, "warmup_rounds").value_or(0),
      .warmup_synthetic = IsTrue(json, "warmup_synthetic"),
      .repeats = MemberIn<int64_t>(json, "repeats").value_or(0),
      .sampling = {},
      .peak_rss_bytes = MemberIn<int64_t>(json, "peak_rss_bytes").value_or(0),
      .sessions = MemberIn<int64_t>(json, "sessions").value_or(1),
      .samples_planned = MemberIn<int64_t>(json, "samples_planned").value_or(0),
      .failures = {},
      .statistics = {},
      .samples = {},
      .profiled = {},
      .utilization = {}};
  const auto sampling = json.find("sampling");
  if (sampling != json.end() && sampling->is_object()) {
    metrics.sampling.num_epochs = MemberIn<int64_t>(*sampling, "num_epochs").value_or(1);
    metrics.sampling.randomize = IsTrue(*sampling, "randomize");
    const auto seed = MemberIn<int64_t>(*sampling, "seed");
    if (seed) metrics.sampling.seed = static_cast<uint64_t>(*seed);
  }
  RIDGELINE_RETURN_IF_ERROR(ParseSamples(json, metrics));
  RIDGELINE_RETURN_IF_ERROR(ParseFailures(json, metrics));
  RIDGELINE_RETURN_IF_ERROR(ParseStatistics(json, metrics));
  RIDGELINE_RETURN_IF_ERROR(ParseUtilization(json, metrics));
  return metrics;
}

// --- rows

// Tokens belong to the phase that generated them.
std::optional<int64_t> TokensOf(const ModelSample& sample, std::string_view phase) {
  if (phase == "prefill") return sample.prompt_tokens;
  if (phase == kDecode) return sample.decode_steps;
  if (phase == kEndToEnd) return sample.generated_tokens;
  return std::nullopt;
}

void AddRows(const ModelSample& sample, PhaseSample::Pass pass,
             results::ResultStore& store) {
  for (const PhaseSeconds& time : sample.times) {
    PhaseSample row;
    row.source = static_cast<results::SourceId>(store.sources.size());
    row.pass = pass;
    row.repeat = sample.repeat;
    row.page = sample.image;
    row.phase = time.phase;
    row.duration_ns = std::llround(time.seconds * 1e9);
    row.tokens = TokensOf(sample, time.phase);
    store.phase_samples.push_back(std::move(row));
  }
}

// "ttft_s" and "itl_s" are per token, not per sample, and have no rows above.
void AddLatencies(const ModelMetrics& metrics, results::ResultStore& store) {
  for (const char* const measure : {"ttft", "itl"}) {
    const MeasuredQuantity* const quantity = Find(metrics, std::string(measure) + "_s");
    if (quantity == nullptr) continue;
    const results::Summary& summary = quantity->summary;
    results::TokenLatency row;
    row.source = static_cast<results::SourceId>(store.sources.size());
    row.measure = measure;
    row.count = static_cast<int64_t>(summary.count);
    row.mean_ns = summary.mean * 1e9;
    if (summary.mean_interval) {
      row.mean_low_ns = summary.mean_interval->low * 1e9;
      row.mean_high_ns = summary.mean_interval->high * 1e9;
    }
    row.median_ns = summary.median * 1e9;
    row.p90_ns = summary.p90 * 1e9;
    row.p99_ns = summary.p99 * 1e9;
    row.min_ns = summary.min * 1e9;
    row.max_ns = summary.max * 1e9;
    store.token_latencies.push_back(std::move(row));
  }
}

void AddUtilization(const ModelMetrics& metrics, results::ResultStore& store) {
  if (!metrics.utilization) return;
  const CallUtilization& utilization = *metrics.utilization;
  for (const CallUtilization::Phase& phase : utilization.phases) {
    store.call_flops.push_back(
        {.source = static_cast<results::SourceId>(store.sources.size()),
         .phase = phase.name,
         .flops = phase.flops,
         .time_ns = std::llround(phase.seconds * 1e9),
         .device = utilization.device,
         .peak_flops_per_s = utilization.peak_flops_per_s,
         .peak_bytes_per_s = utilization.peak_bytes_per_s});
  }
}

}  // namespace

std::optional<double> ModelSample::SecondsOf(std::string_view phase) const {
  for (const PhaseSeconds& time : times) {
    if (time.phase == phase) return time.seconds;
  }
  return std::nullopt;
}

int64_t ModelMetrics::pages() const {
  std::set<std::string_view> images;
  for (const ModelSample& sample : samples) images.insert(sample.image);
  return static_cast<int64_t>(images.size());
}

int64_t ModelMetrics::generated_tokens() const {
  int64_t tokens = 0;
  for (const ModelSample& sample : samples) tokens += sample.generated_tokens.value_or(0);
  return tokens;
}

std::optional<double> ModelMetrics::decode_tokens_per_s() const {
  double decode_s = 0;
  for (const PhaseSeconds& sum : PhaseSums(*this)) {
    if (sum.phase == kDecode) decode_s = sum.seconds;
  }
  return PerSecond(DecodeSteps(*this), decode_s);
}

const MeasuredQuantity* Find(const ModelMetrics& metrics, std::string_view quantity) {
  for (const MeasuredQuantity& measured : metrics.statistics) {
    if (measured.name == quantity) return &measured;
  }
  return nullptr;
}

std::string ToJson(const ModelMetrics& metrics) {
  Json json = {
      {"schema_version", kMetricsVersion},
      {"what",
       metrics.unit == kPageUnit
           ? "pages processed by the built-in model; seconds, device synchronized at "
             "both ends; prefill includes vision, and vision includes sam, clip and "
             "projector"
           : "calls in a Python program; seconds, CUDA synchronized at both ends"},
      {"model", metrics.model},
      {"sample_unit", metrics.unit},
      {"device", metrics.device},
      {"warmup_rounds", metrics.warmup_rounds},
      {"warmup_synthetic", metrics.warmup_synthetic},
      {"repeats", metrics.repeats},
      {"sampling",
       {{"num_epochs", metrics.sampling.num_epochs},
        {"randomize", metrics.sampling.randomize},
        {"seed", OrNull(metrics.sampling.seed)}}},
      {"peak_rss_bytes", metrics.peak_rss_bytes},
      {"sessions", metrics.sessions},
      {"samples_planned", metrics.samples_planned},
      {"failures", FailuresJson(metrics)},
      {"totals", TotalsJson(metrics)},
      {"statistics", Json::object()},
      {"samples", Json::array()}};
  for (const MeasuredQuantity& quantity : metrics.statistics) {
    json["statistics"][quantity.name] = QuantityJson(quantity);
  }
  for (const ModelSample& sample : metrics.samples) {
    json["samples"].push_back(SampleJson(sample));
  }
  if (metrics.profiled) json["profiled"] = ProfiledJson(*metrics.profiled);
  if (metrics.utilization) json["utilization"] = UtilizationJson(*metrics.utilization);
  return DumpJson(json, 2) + "\n";
}

std::string ToJsonLine(const ModelSample& sample) { return DumpJson(SampleJson(sample)); }

Result<ModelSample> ParseModelSample(std::string_view json) {
  return ParseSample(ParseJson<Json>(json));
}

Result<ModelMetrics> ParseModelMetrics(std::string_view json, std::string_view origin) {
  Result<ModelMetrics> metrics = Parse(json);
  if (!metrics.ok()) return std::move(metrics).error().While(std::string(origin));
  return metrics;
}

Status ImportModelMetrics(std::string_view json, results::Source source,
                          PhaseSample::Pass pass, results::ResultStore& store) {
  RIDGELINE_TRY(const ModelMetrics metrics, ParseModelMetrics(json, source.file));
  for (const ModelSample& sample : metrics.samples) AddRows(sample, pass, store);
  for (const ModelSample& run : metrics.runs) AddRows(run, pass, store);
  if (metrics.profiled) {
    AddRows(*metrics.profiled, PhaseSample::Pass::kProfiled, store);
  }
  AddLatencies(metrics, store);
  AddUtilization(metrics, store);
  source.format = metrics.unit == kPageUnit ? "model_metrics" : "call_metrics";
  store.sources.push_back(std::move(source));
  return Ok();
}

}  // namespace ridgeline::profiles
