#include "estimates/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "estimates/scaled.h"

namespace ridgeline::estimates {
namespace {

using analysis::TimeBounds;
using hardware::RoofOrigin;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

PhasePrediction PredictPhase(const char* name, const analysis::Cost& cost,
                             const analysis::RoofRates& rates,
                             const std::optional<Efficiency>& efficiency) {
  PhasePrediction phase = {name, analysis::BoundsOf(cost, rates), {}};
  if (phase.bounds.lower_s && efficiency) {
    phase.expected = Expect(*phase.bounds.lower_s, *efficiency);
  }
  return phase;
}

PhasePrediction WholePage(const std::vector<PhasePrediction>& phases) {
  std::vector<TimeBounds> parts;
  std::optional<Interval> expected = Interval{};
  for (const PhasePrediction& phase : phases) {
    parts.push_back(phase.bounds);
    const bool costs_nothing = phase.bounds.lower_s == 0.0;
    if (expected && phase.expected) {
      expected->least_s += phase.expected->least_s;
      expected->most_s += phase.expected->most_s;
    } else if (!costs_nothing) {
      expected.reset();
    }
  }
  return {"page", analysis::InSequence(parts), expected};
}

std::string RoofText(const std::string& value, const RoofOrigin& origin) {
  const bool is_known = origin.kind != RoofOrigin::Kind::kUnknown;
  return is_known ? fmt::format("{} ({})", value, origin.text)
                  : "unknown: " + origin.text;
}

std::string ExpectedText(const PhasePrediction& phase) {
  if (!phase.expected) return "";
  return fmt::format("{} to {}", Seconds(phase.expected->least_s),
                     Seconds(phase.expected->most_s));
}

Json ToJson(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json RoofJson(const std::optional<double>& value, const RoofOrigin& origin) {
  return {{"per_s", ToJson(value)}, {"origin", origin.text}};
}

}  // namespace

Interval Expect(double lower_s, const Efficiency& efficiency) {
  const double widening = 1 + 1.0 / static_cast<double>(efficiency.samples);
  Interval interval = {.least_s = lower_s / efficiency.most / widening,
                       .most_s = lower_s / efficiency.least * widening};
  if (efficiency.most <= 1) interval.least_s = std::max(interval.least_s, lower_s);
  return interval;
}

Prediction Predict(PageEstimate estimate, DeviceRoofs device,
                   std::optional<MeasuredRun> measured) {
  const analysis::RoofRates rates = device.rates();
  const MeasuredRun run = measured.value_or(MeasuredRun{});
  const models::deepseek_ocr::Ledger& ledger = estimate.ledger;
  std::vector<PhasePrediction> phases = {
      PredictPhase("vision", ledger.vision.cost, rates, run.vision),
      PredictPhase("prefill", ledger.prefill.cost, rates, run.prefill),
      PredictPhase("decode", ledger.decode.cost, rates, run.decode)};
  phases.push_back(WholePage(phases));
  return {std::move(estimate), std::move(device), std::move(measured), std::move(phases)};
}

std::string ToText(const Prediction& prediction) {
  const PageEstimate& estimate = prediction.estimate;
  const hardware::Roofs& roofs = prediction.device.roofs;
  const auto& shapes = estimate.shapes.shapes;
  std::string text = fmt::format(
      "{} ({}) on {}\n  arithmetic  {}: {}\n  memory      {}\n  page        {} x {} "
      "pixels, a prompt of {} tokens, {} decode steps\n\n",
      estimate.model, estimate.model_origin, prediction.device.device,
      hardware::Name(roofs.arithmetic),
      RoofText(Flops(roofs.compute_flops_per_s), roofs.compute_origin),
      RoofText(Bytes(roofs.memory_bytes_per_s), roofs.memory_origin), estimate.page.width,
      estimate.page.height, shapes.prompt_tokens, shapes.decode_steps);
  text += fmt::format("{:<9} {:<8} {:>14}{}\n", "phase", "bound", "lower bound",
                      prediction.measured ? "  expected" : "");
  for (const PhasePrediction& phase : prediction.phases) {
    const std::string lower =
        phase.bounds.lower_s ? ">= " + Seconds(phase.bounds.lower_s) : "unknown";
    const std::string expected = ExpectedText(phase);
    text += fmt::format("{:<9} {:<8} {:>14}{}\n", phase.name, NameOf(phase.bounds.bound),
                        lower, expected.empty() ? "" : "  " + expected);
  }
  if (!prediction.measured) {
    return text +
           "\nLower bounds only: --from RUN_DIR, a run with static_analysis and "
           "direct_inference, gives intervals.\n";
  }
  return text + fmt::format(
                    "\nExpected as far from the bounds as {} sample{} on {} "
                    "were, and a factor of {:.2f} more either way.\n",
                    prediction.measured->samples,
                    prediction.measured->samples == 1 ? "" : "s",
                    prediction.measured->device,
                    1 + 1.0 / static_cast<double>(prediction.measured->samples));
}

std::string ToJson(const Prediction& prediction) {
  const PageEstimate& estimate = prediction.estimate;
  const hardware::Roofs& roofs = prediction.device.roofs;
  Json phases = Json::object();
  for (const PhasePrediction& phase : prediction.phases) {
    Json expected;
    if (phase.expected) {
      expected = {{"least_s", phase.expected->least_s},
                  {"most_s", phase.expected->most_s}};
    }
    phases[phase.name] = {{"bound", NameOf(phase.bounds.bound)},
                          {"lower_bound_s", ToJson(phase.bounds.lower_s)},
                          {"compute_s", ToJson(phase.bounds.compute_s)},
                          {"memory_s", ToJson(phase.bounds.memory_s)},
                          {"expected", std::move(expected)}};
  }
  Json json = {
      {"schema_version", kVersion},
      {"model", estimate.model},
      {"device", prediction.device.device},
      {"arithmetic", hardware::Name(roofs.arithmetic)},
      {"compute_roof", RoofJson(roofs.compute_flops_per_s, roofs.compute_origin)},
      {"memory_roof", RoofJson(roofs.memory_bytes_per_s, roofs.memory_origin)},
      {"page_width", estimate.page.width},
      {"page_height", estimate.page.height},
      {"prompt_tokens", estimate.shapes.shapes.prompt_tokens},
      {"decode_steps", estimate.shapes.shapes.decode_steps},
      {"phases", std::move(phases)},
      {"measured_on", nullptr},
      {"measured_samples", nullptr}};
  if (prediction.measured) {
    json["measured_on"] = prediction.measured->device;
    json["measured_samples"] = prediction.measured->samples;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ridgeline::estimates
