// Sentences and tables shared by the summaries.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/statistics.h"

namespace ridgeline::report {

// "1.20 s (95 % CI 1.15 s to 1.26 s)"
std::string MeanText(double mean,
                     const std::optional<analysis::ConfidenceInterval>& interval,
                     std::string (*show)(double));

// As `show` above: "1.20 s".
std::string ShowSeconds(double value);

// Means of phases, which run in sequence; 0: not measured.
struct PageTimes {
  double end_to_end_s = 0;
  double preprocess_s = 0;
  double vision_s = 0;
  double prefill_s = 0;  // Includes vision.
  double decode_s = 0;
  std::string_view unit = "page";
};

// Phases of a page with their shares; empty if no page was measured.
std::string PagePartsTable(const PageTimes& times);

// "- decode: memory-bound, 8.20x roofline on cpu.\n"
std::string LimitLine(std::string_view phase, double roofline_slowdown,
                      std::string_view device, bool is_memory_bound);

}  // namespace ridgeline::report
