// report.html: the page that is part of the program, with the data of a run in it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "analysis/timeline.h"
#include "report/run_facts.h"

namespace ridgeline::report {

struct SourceTimeline {
  std::string source;  // As the report calls it.
  analysis::Timeline timeline;
};

// How much of a page is there for what has no natural end: all together stay below 5 MB.
inline constexpr size_t kMostTimelineBlocks = 60'000;
inline constexpr size_t kMostPictureBytes = 1'200'000;

// One file that needs no other; the same report gives the same bytes. Nothing of the data
// can end the script that holds it.
std::string ReportPage(const nlohmann::ordered_json& report,
                       std::span<const SourceTimeline> timelines,
                       std::span<const Picture> pictures);

}  // namespace ridgeline::report
