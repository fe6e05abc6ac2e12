#include "report/printers/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/units.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using analysis::PhasePrediction;
using cost::ExpertsRead;
using hardware::CeilingSource;
using Json = nlohmann::ordered_json;

constexpr int kPredictionVersion = 2;

std::string PeakText(const std::string& value, const CeilingSource& origin) {
  const bool is_known = origin.kind != CeilingSource::Kind::kUnknown;
  return is_known ? fmt::format("{} ({})", value, origin.text)
                  : "unknown: " + origin.text;
}

std::string AtLeast(const std::optional<double>& seconds) {
  return seconds ? ">= " + units::Seconds(seconds) : "unknown";
}

// Not for models without experts, and not for a single page.
bool ShowsExperts(const Prediction& prediction) {
  return prediction.pages() > 1 && prediction.estimate.experts.has_value();
}

std::string HeaderText(const Prediction& prediction) {
  const cost::Estimate& estimate = prediction.estimate;
  const hardware::Ceilings& ceilings = prediction.device.ceilings;
  const cost::SampleShape& shapes = estimate.shape;
  const std::string pages =
      prediction.pages() == 1
          ? "page        "
          : fmt::format("batch       {} pages, each ", prediction.pages());
  return fmt::format(
      "{} ({}) on {}\n  compute     {}: {}\n  memory      {}\n  {}{} x {} "
      "pixels, {} prompt tokens, {} decode steps\n\n",
      estimate.model, estimate.model_origin, prediction.device.device,
      hardware::Name(ceilings.arithmetic),
      PeakText(units::Flops(ceilings.compute_flops_per_s), ceilings.peak_flops_source),
      PeakText(units::Bytes(ceilings.memory_bytes_per_s), ceilings.peak_bandwidth_source),
      pages, estimate.page.width, estimate.page.height, shapes.prompt_tokens,
      shapes.decode_steps);
}

std::string TableText(const Prediction& prediction) {
  const bool has_routed = ShowsExperts(prediction);
  const bool has_vision =
      std::any_of(prediction.phases.begin(), prediction.phases.end(),
                  [](const PhasePrediction& phase) { return phase.name == "vision"; });
  const auto row = [&](const std::array<std::string, 5>& cells,
                       const std::string& expected) {
    std::string line = fmt::format("{:<22} {:<14} {:>14}", cells[0], cells[1], cells[2]);
    if (has_routed) line += fmt::format(" {:>16} {:>14}", cells[3], cells[4]);
    return line + (expected.empty() ? "" : "  " + expected) + "\n";
  };
  std::string text =
      row({"phase", "roofline limit", "roofline time", "uniform routing", "max experts"},
          prediction.measured ? "expected" : "");
  for (const PhasePrediction& phase : prediction.phases) {
    const std::string expected =
        phase.expected ? fmt::format("{} to {}", units::Seconds(phase.expected->low_s),
                                     units::Seconds(phase.expected->high_s))
                       : "";
    const bool is_all = phase.name == "end_to_end" && prediction.pages() > 1;
    text += row({is_all ? "all pages" : CostedPhaseName(phase.name, has_vision),
                 std::string(NameOf(phase.bounds.bound)), AtLeast(phase.bounds.lower_s),
                 AtLeast(phase.routed.uniform_s), AtLeast(phase.routed.most_s)},
                expected);
  }
  return text;
}

std::string ExpertsText(const Prediction& prediction) {
  const ExpertsRead& read = *prediction.estimate.experts;
  return fmt::format(
      "\nA decode step of {} pages reads {} to {} of the {} experts of a layer, "
      "depending on the\nrouting; {:.1f} on average with uniform routing. The roofline "
      "time assumes {}.\n",
      prediction.pages(), read.least, read.most, read.experts, read.uniform, read.least);
}

std::string EndText(const Prediction& prediction) {
  if (!prediction.measured) {
    return "\nRoofline times only. For expected times, add --from RUN_DIR: a run with "
           "static_analysis and direct_inference.\n";
  }
  const size_t samples = prediction.measured->samples;
  return fmt::format(
      "\nExpected: roofline time x the slowdown vs roofline measured on {}, from the\n"
      "min to the max of n={} samples, widened by {:.2f}x at both ends.\n{}",
      prediction.measured->device, samples, 1 + 1.0 / static_cast<double>(samples),
      prediction.pages() == 1 ? ""
                              : "It was measured with a batch of 1; the slowdown of a "
                                "batch may differ.\n");
}

Json PeakJson(const std::optional<double>& value, const CeilingSource& origin) {
  return {{"per_s", OrNull(value)}, {"source", origin.text}};
}

Json PredictedPhaseJson(const PhasePrediction& phase) {
  Json expected;
  if (phase.expected) {
    expected = {{"low_s", phase.expected->low_s}, {"high_s", phase.expected->high_s}};
  }
  return {{"bound", NameOf(phase.bounds.bound)},
          {"roofline_s", OrNull(phase.bounds.lower_s)},
          {"roofline_uniform_routing_s", OrNull(phase.routed.uniform_s)},
          {"roofline_max_experts_s", OrNull(phase.routed.most_s)},
          {"compute_s", OrNull(phase.bounds.compute_s)},
          {"memory_s", OrNull(phase.bounds.memory_s)},
          {"expected", std::move(expected)}};
}

Json ExpertsJson(const Prediction& prediction) {
  if (!prediction.estimate.experts) return {};
  const ExpertsRead& read = *prediction.estimate.experts;
  return {{"of", read.experts},
          {"min", read.least},
          {"uniform_routing", read.uniform},
          {"max", read.most}};
}

}  // namespace

Prediction MakePrediction(cost::Estimate estimate, hardware::DeviceCeilings device,
                          std::optional<analysis::MeasuredRun> measured) {
  std::vector<PhasePrediction> phases =
      analysis::PredictPhases(estimate, device.rates(), measured ? &*measured : nullptr);
  return {std::move(estimate), std::move(device), std::move(measured), std::move(phases)};
}

std::string ToText(const Prediction& prediction) {
  return HeaderText(prediction) + TableText(prediction) +
         (ShowsExperts(prediction) ? ExpertsText(prediction) : "") + EndText(prediction);
}

std::string ToJson(const Prediction& prediction) {
  const cost::Estimate& estimate = prediction.estimate;
  const hardware::Ceilings& ceilings = prediction.device.ceilings;
  Json phases = Json::object();
  for (const PhasePrediction& phase : prediction.phases) {
    phases[phase.name] = PredictedPhaseJson(phase);
  }
  Json json = {{"schema_version", kPredictionVersion},
               {"model", estimate.model},
               {"device", prediction.device.device},
               {"arithmetic", hardware::Name(ceilings.arithmetic)},
               {"peak_flops_per_s",
                PeakJson(ceilings.compute_flops_per_s, ceilings.peak_flops_source)},
               {"peak_bytes_per_s",
                PeakJson(ceilings.memory_bytes_per_s, ceilings.peak_bandwidth_source)},
               {"page_width", estimate.page.width},
               {"page_height", estimate.page.height},
               {"prompt_tokens", estimate.shape.prompt_tokens},
               {"decode_steps", estimate.shape.decode_steps},
               {"batch", prediction.pages()},
               {"experts_read_per_step", ExpertsJson(prediction)},
               {"phases", std::move(phases)},
               {"measured_on", nullptr},
               {"measured_samples", nullptr}};
  if (prediction.measured) {
    json["measured_on"] = prediction.measured->device;
    json["measured_samples"] = prediction.measured->samples;
  }
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::report
