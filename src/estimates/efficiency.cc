#include "estimates/efficiency.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "estimates/scaled.h"

namespace ridgeline::estimates {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kEfficiencyVersion = 1;

// "12.3 %"
std::string Share(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g} %", 100 * *value) : "?";
}

// Whole pages are phases one after the other, which bind differently: their bound is the
// sum.
cost::TimeBounds BoundsOf(const MeasuredRun& run, const PhaseTotal& total) {
  if (total.name != "page") return cost::BoundsOf(total.cost, run.roofs);
  std::vector<cost::TimeBounds> parts;
  for (const PhaseTotal& phase : run.totals) {
    if (phase.name != "page") parts.push_back(cost::BoundsOf(phase.cost, run.roofs));
  }
  return cost::InSequence(parts);
}

std::optional<double> Distance(const cost::TimeBounds& bounds, double seconds) {
  if (!bounds.lower_s || !(*bounds.lower_s > 0) || !(seconds > 0)) return std::nullopt;
  return seconds / *bounds.lower_s;
}

}  // namespace

std::vector<PhaseEfficiency> EfficienciesOf(const MeasuredRun& run) {
  std::vector<PhaseEfficiency> phases;
  for (const PhaseTotal& total : run.totals) {
    const cost::TimeBounds bounds = BoundsOf(run, total);
    phases.push_back({total.name, total.cost, total.seconds, bounds,
                      cost::UtilizationOf(total.cost, run.roofs, total.seconds),
                      Distance(bounds, total.seconds)});
  }
  return phases;
}

std::string EfficiencyJson(const MeasuredRun& run) {
  Json json = {{"schema_version", kEfficiencyVersion},
               {"what",
                "shares of 1; mfu: executed FLOPs of matrix products per second over the "
                "peak; mbu: bytes of weights and KV cache per second over the bandwidth; "
                "distance: measured time over the least one"},
               {"device", run.device},
               {"compute_flops_per_s", OrNull(run.roofs.flops_per_s)},
               {"memory_bytes_per_s", OrNull(run.roofs.bytes_per_s)},
               {"samples", run.samples},
               {"phases", Json::object()}};
  for (const PhaseEfficiency& phase : EfficienciesOf(run)) {
    json["phases"][phase.name] = {
        {"measured_s", phase.measured_s},     {"least_s", OrNull(phase.bounds.lower_s)},
        {"distance", OrNull(phase.distance)}, {"bound", NameOf(phase.bounds.bound)},
        {"mfu", OrNull(phase.used.mfu)},      {"mfu_ideal", OrNull(phase.used.mfu_ideal)},
        {"mbu", OrNull(phase.used.mbu)}};
  }
  return DumpJson(json, 2) + "\n";
}

std::string EfficiencyMarkdown(const MeasuredRun& run) {
  return fmt::format("# How well {} was used\n\n", run.device) + EfficiencyTable(run);
}

std::string EfficiencyTable(const MeasuredRun& run) {
  std::string text = fmt::format(
      "{} page{}, read without a profiler. Roofs: {}, {}.\n\n"
      "| phase | measured | least | measured / least | bound by | MFU | MBU |\n"
      "| --- | ---: | ---: | ---: | --- | ---: | ---: |\n",
      run.samples, run.samples == 1 ? "" : "s", Flops(run.roofs.flops_per_s),
      Bytes(run.roofs.bytes_per_s));
  for (const PhaseEfficiency& phase : EfficienciesOf(run)) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", phase.name,
                        Seconds(phase.measured_s), Seconds(phase.bounds.lower_s),
                        Ratio(phase.distance), NameOf(phase.bounds.bound),
                        Share(phase.used.mfu), Share(phase.used.mbu));
  }
  text +=
      "\nMFU is made of the executed FLOPs of matrix products, MBU of the bytes of "
      "weights "
      "and KV cache. The least time is that of the roof that binds; weights that stay in "
      "a "
      "cache can beat the one of memory.\n";
  return text;
}

}  // namespace ridgeline::estimates
