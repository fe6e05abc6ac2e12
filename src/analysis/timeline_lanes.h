// Puts events into the lanes of a timeline, and merges them while there are too many.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/timeline.h"
#include "base/string_pool.h"

namespace ridgeline::analysis {

// Which track an event is on: a thread or a stream. Numbers order tracks of a group.
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

  // Events of one track come in the order of their begins, the longer of two first.
  void Add(const TimelineTrack& track, const TimelineEvent& event);

  // `title_of` names a track, `kind_of` what an event is by its name; `names` are those
  // of the events.
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
    std::vector<int64_t> open_ends_ns;  // Of events that have not ended, outermost first.
    std::vector<std::vector<TimelineBlock>> lanes;  // By depth.
    int64_t events = 0;
  };

  Timeline Finish(const StringPool& names);
  void Append(const TimelineBlock& block, std::vector<TimelineBlock>& blocks);
  // Doubles the resolution until no more than `most` blocks are left.
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
  std::vector<std::optional<StringId>> used_names_;  // Nothing: one of many.
};

}  // namespace ridgeline::analysis
