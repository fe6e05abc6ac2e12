// What ran when, in lanes for a page that zooms: as fine as a number of blocks allows.
//
// A capture has millions of events, and a page has room for some ten thousand. Events
// that are long stay as they are; what is shorter than a resolution is merged with its
// neighbours, and the block says how many it holds and how long they ran.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/nsys_rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// One event, or several that follow each other.
struct TimelineBlock {
  int64_t start_ns = 0;  // From the begin of the timeline.
  int64_t duration_ns = 0;
  int64_t busy_ns = 0;     // Of the events in it; duration_ns where there is one.
  int64_t longest_ns = 0;  // Of the event that it is named after.
  uint32_t name = 0;       // Index in Timeline::names.
  uint32_t count = 1;

  int64_t end_ns() const { return start_ns + duration_ns; }
  bool operator==(const TimelineBlock&) const = default;
};

enum class LaneGroup : uint8_t { kRegions, kOperators, kGpu };
std::string_view NameOf(LaneGroup group);  // "regions"

// Blocks that do not overlap, in their order. Lanes of one title are one track: what lies
// inside an event of one depth is one deeper.
struct TimelineLane {
  LaneGroup group = LaneGroup::kRegions;
  std::string title;  // "thread 2", "GPU 0, stream 7"
  int depth = 0;
  std::vector<TimelineBlock> blocks;
};

struct Timeline {
  int64_t span_ns = 0;
  int64_t events = 0;         // All of them.
  int64_t merged = 0;         // Those that share a block.
  int64_t left_out = 0;       // Too deep, or on one track too many.
  int64_t resolution_ns = 0;  // 0: nothing was merged.
  std::vector<std::string> names;
  std::vector<std::string> kinds;   // Of each name, if it is that of a kernel; or empty.
  std::vector<TimelineLane> lanes;  // Regions first, then operators, then GPUs.
};

// `most_blocks` of all lanes together, at least 1 per lane.
Timeline TimelineOf(const results::NsysRows& rows, size_t most_blocks);
Timeline TimelineOf(const results::TraceRows& rows, size_t most_blocks);

}  // namespace ridgeline::analysis
