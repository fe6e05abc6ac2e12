// Sentences and tables shared by the summaries.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cost/roofline.h"
#include "report/sections/phase_rows.h"
#include "report/sections/roofline_rows.h"

namespace ridgeline::report {

// Mean and spread of times in seconds.
struct MeanTime {
  int64_t samples = 0;
  double mean_s = 0, min_s = 0, max_s = 0;
  std::optional<std::array<double, 2>> ci95_s;
};
MeanTime MeanTimeOf(const PhaseRow& phase);

// "(95 % CI 1.15 s to 1.26 s, n=6)". With too few samples for a bootstrapped CI, from min
// to max: "(n=3, 1.15 s to 1.26 s)".
std::string SpreadText(const MeanTime& time);

// "1.20 s (95 % CI 1.15 s to 1.26 s, n=6)"
std::string MeanText(const MeanTime& time);

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

// A phase compared with its roofline.
struct PhaseLimit {
  std::string name;
  double roofline_slowdown = 0;
  cost::BoundClass roofline = cost::BoundClass::kUnknown;
  OptionalNumber used;  // MFU (useful FLOPs) or MBU, by its roofline.
};
PhaseLimit LimitOf(const LedgerRow& ledger, const LedgerPhaseRow& phase);

// "decode: memory-bound, 8.20x roofline time"; below a tenth of the peak
// "vision: overhead-bound, 46.0x roofline time (compute roofline)".
std::string LimitText(const PhaseLimit& limit);

}  // namespace ridgeline::report
