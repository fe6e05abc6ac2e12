#include "report/sections/summary_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/statistics.h"
#include "base/units.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {

MeanTime MeanTimeOf(const PhaseRow& phase) {
  return {.samples = phase.samples,
          .mean_s = phase.mean_s,
          .min_s = phase.min_s,
          .max_s = phase.max_s,
          .ci95_s = phase.mean_ci95_s};
}

std::string SpreadText(const MeanTime& time) {
  const auto range = [](double low_s, double high_s) {
    return fmt::format("{} to {}", Time(low_s), Time(high_s));
  };
  if (time.samples >= analysis::kMinForTrustedInterval && time.ci95_s) {
    const auto& [low_s, high_s] = *time.ci95_s;
    return fmt::format("(95 % CI {}, n={})", range(low_s, high_s), time.samples);
  }
  return fmt::format("(n={}{})", time.samples,
                     time.samples > 1 ? ", " + range(time.min_s, time.max_s) : "");
}

std::string MeanText(const MeanTime& time) {
  return Time(time.mean_s) + " " + SpreadText(time);
}

std::string PagePartsTable(const PageTimes& times) {
  if (!(times.end_to_end_s > 0)) return "";
  const std::string prefill = CostedPhaseName("prefill", times.vision_s > 0);
  const std::pair<const char*, double> parts[] = {
      {"preprocess", times.preprocess_s},
      {"vision", times.vision_s},
      {prefill.c_str(), std::max(0.0, times.prefill_s - times.vision_s)},
      {"decode", times.decode_s}};
  std::vector<std::vector<std::string>> rows;
  double rest = times.end_to_end_s;
  for (const auto& [name, seconds] : parts) {
    if (!(seconds > 0)) continue;
    rows.push_back(
        {name, units::Seconds(seconds), Percent(seconds / times.end_to_end_s)});
    rest -= seconds;
  }
  if (rows.empty()) return "";
  rows.push_back({"other", units::Seconds(std::max(0.0, rest)),
                  Percent(std::max(0.0, rest) / times.end_to_end_s)});
  return Table({{"Phase", Align::kLeft},
                {fmt::format("Mean per {}", times.unit)},
                {fmt::format("Share of a {}", times.unit)}},
               rows);
}

PhaseLimit LimitOf(const LedgerRow& ledger, const LedgerPhaseRow& phase) {
  return {
      .name = PhaseName(ledger, phase),
      .roofline_slowdown = phase.roofline_slowdown.value_or(0),
      .roofline = phase.bound,
      .used = phase.bound == cost::BoundClass::kMemory ? phase.mbu : phase.mfu_useful};
}

std::string LimitText(const PhaseLimit& limit) {
  const bool is_overhead = limit.used && *limit.used < kOverheadBound;
  return fmt::format(
      "{}: {}-bound, {} roofline time{}", limit.name,
      is_overhead ? "overhead" : NameOf(limit.roofline),
      Number(limit.roofline_slowdown, Unit::kFactor),
      is_overhead ? fmt::format(" ({} roofline)", NameOf(limit.roofline)) : "");
}

}  // namespace ridgeline::report
