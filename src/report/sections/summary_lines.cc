#include "report/sections/summary_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/units.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {

std::string MeanText(double mean,
                     const std::optional<analysis::ConfidenceInterval>& interval,
                     std::string (*show)(double)) {
  std::string text = show(mean);
  if (interval) {
    text += fmt::format(" (95 % CI {} to {})", show(interval->low), show(interval->high));
  }
  return text;
}

std::string ShowSeconds(double value) { return units::Seconds(value); }

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

std::string LimitLine(std::string_view phase, double roofline_slowdown,
                      std::string_view device, bool is_memory_bound) {
  return fmt::format("- {}: {}-bound, {}x roofline time on {}.\n", Escaped(phase),
                     is_memory_bound ? "memory" : "compute",
                     units::Ratio(roofline_slowdown), Escaped(device));
}

}  // namespace ridgeline::report
