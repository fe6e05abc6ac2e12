// report.html: the page embedded in the program, filled with the data of a run.
#pragma once

#include <span>
#include <string>

#include "analysis/timeline.h"
#include "report/document.h"
#include "report/run_facts.h"

namespace ridgeline::report {

struct SourceTimeline {
  std::string source;  // Name in the report.
  analysis::Timeline timeline;
};

// Limits that keep a page below 5 MB.
inline constexpr size_t kMaxTimelineBlocks = 60'000;
inline constexpr size_t kMaxPictureBytes = 1'200'000;

// One self-contained file; the same report gives the same bytes. The data cannot close
// the script element around it.
std::string ReportPage(const Document& document,
                       std::span<const SourceTimeline> timelines,
                       std::span<const Picture> pictures);

}  // namespace ridgeline::report
