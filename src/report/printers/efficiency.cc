#include "report/printers/efficiency.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/units.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kEfficiencyVersion = 2;

}  // namespace

std::string EfficiencyJson(const analysis::MeasuredRun& run) {
  Json json = {
      {"schema_version", kEfficiencyVersion},
      {"what",
       "shares from 0 to 1; mfu: executed matrix FLOP/s over peak FLOP/s; mbu: "
       "bytes/s of weights and KV cache over peak bandwidth; roofline_slowdown: measured "
       "time over roofline time"},
      {"device", run.device},
      {"compute_flops_per_s", OrNull(run.ceilings.flops_per_s)},
      {"memory_bytes_per_s", OrNull(run.ceilings.bytes_per_s)},
      {"samples", run.samples},
      {"phases", Json::object()}};
  for (const analysis::PhaseEfficiency& phase : analysis::EfficienciesOf(run)) {
    json["phases"][phase.name] = {{"measured_s", phase.measured_s},
                                  {"roofline_s", OrNull(phase.bounds.lower_s)},
                                  {"roofline_slowdown", OrNull(phase.roofline_slowdown)},
                                  {"bound", NameOf(phase.bounds.bound)},
                                  {"mfu", OrNull(phase.used.mfu)},
                                  {"mfu_useful", OrNull(phase.used.mfu_useful)},
                                  {"mbu", OrNull(phase.used.mbu)}};
  }
  return DumpJson(json, 2) + "\n";
}

std::string EfficiencyMarkdown(const analysis::MeasuredRun& run) {
  return fmt::format("# Efficiency on {}\n\n", run.device) + EfficiencyTable(run);
}

std::string EfficiencyTable(const analysis::MeasuredRun& run) {
  std::string text = fmt::format(
      "Times are sums over {}, unprofiled. Peak FLOP/s: {}; peak bandwidth: {}.\n\n"
      "| Phase | Measured | Roofline time | vs roofline | Roofline limit | MFU (executed "
      "FLOPs) | "
      "MFU (useful FLOPs) | MBU |\n"
      "| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: |\n",
      Samples(static_cast<int64_t>(run.samples)), units::Flops(run.ceilings.flops_per_s),
      units::Bytes(run.ceilings.bytes_per_s));
  for (const analysis::PhaseEfficiency& phase : analysis::EfficienciesOf(run)) {
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
        CostedPhaseName(phase.name, run.Find("vision") != nullptr),
        units::Seconds(phase.measured_s), units::Seconds(phase.bounds.lower_s),
        phase.roofline_slowdown ? units::Ratio(phase.roofline_slowdown) + "x" : "?",
        NameOf(phase.bounds.bound), units::Percent(phase.used.mfu),
        units::Percent(phase.used.mfu_useful), units::Percent(phase.used.mbu));
  }
  text +=
      "\nend_to_end is the sum of the phases, without preprocessing. Executed FLOPs "
      "include padding and masked ones, useful FLOPs do not. Roofline times use useful "
      "matrix FLOPs and compulsory bytes (weights and KV cache), as do MFU (useful "
      "FLOPs) and MBU. Weights that stay in a cache can beat the memory roofline.\n";
  return text;
}

}  // namespace ridgeline::report
