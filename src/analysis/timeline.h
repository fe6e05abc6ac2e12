// Timeline in lanes for a zoomable page, with a limited number of blocks.
//
// A capture has millions of events, and a page can show some ten thousand. Long events
// are kept; those shorter than the resolution are merged with their neighbours, and the
// block gives their number and total time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/string_pool.h"
#include "results/nsys_rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// One event, or several adjacent ones.
struct TimelineBlock {
  int64_t start_ns = 0;  // Relative to the start of the timeline.
  int64_t duration_ns = 0;
  int64_t busy_ns = 0;     // Total of its events; duration_ns if there is only one.
  int64_t longest_ns = 0;  // Duration of the event it is named after.
  uint32_t name = 0;       // Index into Timeline::names.
  uint32_t count = 1;

  int64_t end_ns() const { return start_ns + duration_ns; }
  bool operator==(const TimelineBlock&) const = default;
};

enum class LaneGroup : uint8_t { kRegions, kOperators, kGpu };
std::string_view NameOf(LaneGroup group);  // "regions"

// Blocks in order, without overlap. Lanes with the same title are one track: events
// nested in an event at one depth are at the next.
struct TimelineLane {
  LaneGroup group = LaneGroup::kRegions;
  std::string title;  // "thread 2", "GPU 0, stream 7"
  int depth = 0;
  std::vector<TimelineBlock> blocks;
};

struct Timeline {
  int64_t span_ns = 0;
  int64_t events = 0;         // Total.
  int64_t merged = 0;         // Events that share a block.
  int64_t left_out = 0;       // Too deep, or on one track too many.
  int64_t resolution_ns = 0;  // 0: nothing was merged.
  std::vector<std::string> names;
  std::vector<std::string> kinds;   // By name: kind of kernel, or empty.
  std::vector<TimelineLane> lanes;  // Regions first, then operators, then GPUs.
};

// `most_blocks` limits the total over all lanes; each lane gets at least 1.
Timeline TimelineOf(const results::NsysRows& rows, size_t most_blocks);
Timeline TimelineOf(const results::TraceRows& rows, size_t most_blocks);

// Assigns events to the lanes of a timeline, and merges them while there are too many.

// The track of an event: a thread or a stream. Tracks of a group are ordered by number.
struct TimelineTrack {
  LaneGroup group = LaneGroup::kRegions;
  uint32_t number = 0;

  auto operator<=>(const TimelineTrack&) const = default;
};

struct TimelineEvent {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  StringId name = 0;
};

class TimelineLanes {
 public:
  explicit TimelineLanes(size_t most_blocks) : most_blocks_(most_blocks) {}

  // Events of a track must come sorted by start, the longer of two first.
  void Add(const TimelineTrack& track, const TimelineEvent& event);

  // `title_of` returns the title of a track, `kind_of` the kind of an event given its
  // name; `names` contains the names of the events.
  template <typename TitleOf, typename KindOf>
  Timeline Finish(const StringPool& names, TitleOf title_of, KindOf kind_of) {
    Timeline timeline = Finish(names);
    for (const std::optional<StringId>& name : used_names_) {
      timeline.kinds.emplace_back(name ? kind_of(*name) : "");
    }
    for (size_t i = 0; i < timeline.lanes.size(); ++i) {
      timeline.lanes[i].title = title_of(tracks_of_lanes_[i]);
    }
    return timeline;
  }

 private:
  struct Track {
    std::vector<int64_t> open_ends_ns;  // Ends of open events, outermost first.
    std::vector<std::vector<TimelineBlock>> lanes;  // By depth.
    int64_t events = 0;
  };

  Timeline Finish(const StringPool& names);
  void Append(const TimelineBlock& block, std::vector<TimelineBlock>& blocks);
  // Doubles the resolution until at most `most` blocks remain.
  void Coarsen(size_t most);
  void LeaveOutTracks(Timeline& timeline);
  void MoveLanes(Timeline& timeline);

  size_t most_blocks_;
  size_t blocks_ = 0;
  int64_t resolution_ns_ = 0;
  int64_t begin_ns_ = 0;
  int64_t end_ns_ = 0;
  int64_t events_ = 0;
  int64_t too_deep_ = 0;
  std::map<TimelineTrack, Track> tracks_;
  std::vector<TimelineTrack> tracks_of_lanes_;
  std::vector<std::optional<StringId>> used_names_;  // nullopt: one of many.
};

}  // namespace ridgeline::analysis
