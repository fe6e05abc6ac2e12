#include <algorithm>
#include <limits>
#include <unordered_map>

#include "analysis/intervals.h"
#include "analysis/timeline.h"
#include "base/utf8.h"

namespace ridgeline::analysis {
namespace {

// Deeper levels would not be readable on a page.
constexpr size_t kMaxDepth = 12;
constexpr size_t kMaxTracks = 64;

// While events are added there may be this many times the final number of blocks, so that
// merging, which visits all of them, is rare.
constexpr size_t kSlack = 4;

constexpr int64_t kFirstResolutionNs = 64;

// Names appear when hovering over a block; tables have them in full.
constexpr size_t kMaxNameBytes = 200;
constexpr size_t kMaxNamesBytes = 500'000;
constexpr std::string_view kNameLeftOut = "(too many names)";

std::string Shortened(std::string_view text) {
  std::string shortened(HeadOf(text, kMaxNameBytes));
  return text.size() > kMaxNameBytes ? shortened + "…" : shortened;
}

// Maps names of a profile to those that blocks still use.
class UsedNames {
 public:
  explicit UsedNames(const StringPool& all) : all_(all) {}

  uint32_t IndexOf(StringId name) {
    const auto [known, is_new] = indexes_.try_emplace(name, 0);
    if (is_new) known->second = Add(name);
    return known->second;
  }

  std::vector<std::string> Take() && { return std::move(names_); }
  const std::vector<std::optional<StringId>>& ids() const { return ids_; }

 private:
  uint32_t Add(StringId name) {
    std::string text = Shortened(all_.text(name));
    bytes_ += text.size();
    if (bytes_ <= kMaxNamesBytes) {
      names_.push_back(std::move(text));
      ids_.emplace_back(name);
      return static_cast<uint32_t>(names_.size() - 1);
    }
    if (!has_left_out_) {
      has_left_out_ = true;
      left_out_ = static_cast<uint32_t>(names_.size());
      names_.emplace_back(kNameLeftOut);
      ids_.emplace_back();
    }
    return left_out_;
  }

  const StringPool& all_;
  std::unordered_map<StringId, uint32_t> indexes_;
  std::vector<std::string> names_;
  std::vector<std::optional<StringId>> ids_;  // By used name; nullopt: one of many.
  size_t bytes_ = 0;
  uint32_t left_out_ = 0;
  bool has_left_out_ = false;
};

}  // namespace

std::string_view NameOf(LaneGroup group) {
  switch (group) {
    case LaneGroup::kRegions:
      return "regions";
    case LaneGroup::kOperators:
      return "operators";
    case LaneGroup::kGpu:
      return "gpu";
  }
  return "";
}

void TimelineLanes::Add(const TimelineTrack& key, const TimelineEvent& event) {
  const int64_t event_end_ns = SaturatingAdd(event.start_ns, event.duration_ns);
  // An end that overflows is clamped.
  const int64_t duration_ns = SaturatingSubtract(event_end_ns, event.start_ns);
  begin_ns_ = events_ == 0 ? event.start_ns : std::min(begin_ns_, event.start_ns);
  end_ns_ = events_ == 0 ? event_end_ns : std::max(end_ns_, event_end_ns);
  ++events_;
  Track& track = tracks_[key];
  ++track.events;
  std::vector<int64_t>& open = track.open_ends_ns;
  while (!open.empty() && open.back() <= event.start_ns) open.pop_back();
  const size_t depth = open.size();
  open.push_back(event_end_ns);
  if (depth >= kMaxDepth) {
    ++too_deep_;
    return;
  }
  if (track.lanes.size() <= depth) track.lanes.resize(depth + 1);
  Append({.start_ns = event.start_ns,
          .duration_ns = duration_ns,
          .busy_ns = duration_ns,
          .longest_ns = duration_ns,
          .name = event.name},
         track.lanes[depth]);
  if (blocks_ > most_blocks_ * kSlack) Coarsen(most_blocks_ * kSlack / 2);
}

void TimelineLanes::Append(const TimelineBlock& block,
                           std::vector<TimelineBlock>& blocks) {
  if (blocks.empty() ||
      SaturatingSubtract(block.end_ns(), blocks.back().start_ns) > resolution_ns_) {
    blocks.push_back(block);
    ++blocks_;
    return;
  }
  TimelineBlock& last = blocks.back();
  last.duration_ns = block.end_ns() - last.start_ns;
  last.busy_ns += block.busy_ns;
  last.count += block.count;
  if (block.longest_ns > last.longest_ns) {
    last.longest_ns = block.longest_ns;
    last.name = block.name;
  }
}

void TimelineLanes::Coarsen(size_t most) {
  size_t lanes = 0;
  for (const auto& [key, track] : tracks_) lanes += track.lanes.size();
  most = std::max(most, lanes);
  const int64_t enough_ns = SaturatingSubtract(end_ns_, begin_ns_);
  while (blocks_ > most && resolution_ns_ <= enough_ns) {
    if (resolution_ns_ == std::numeric_limits<int64_t>::max()) return;
    resolution_ns_ =
        std::max(kFirstResolutionNs, SaturatingAdd(resolution_ns_, resolution_ns_));
    blocks_ = 0;
    for (auto& [key, track] : tracks_) {
      for (std::vector<TimelineBlock>& lane : track.lanes) {
        std::vector<TimelineBlock> finer;
        finer.swap(lane);
        for (const TimelineBlock& block : finer) Append(block, lane);
      }
    }
  }
}

void TimelineLanes::LeaveOutTracks(Timeline& timeline) {
  while (tracks_.size() > kMaxTracks) {
    const auto least = std::min_element(
        tracks_.begin(), tracks_.end(),
        [](const auto& a, const auto& b) { return a.second.events < b.second.events; });
    for (const std::vector<TimelineBlock>& lane : least->second.lanes) {
      for (const TimelineBlock& block : lane) timeline.left_out += block.count;
      blocks_ -= lane.size();
    }
    tracks_.erase(least);
  }
}

void TimelineLanes::MoveLanes(Timeline& timeline) {
  tracks_of_lanes_.clear();
  for (auto& [key, track] : tracks_) {
    for (size_t depth = 0; depth < track.lanes.size(); ++depth) {
      TimelineLane& lane = timeline.lanes.emplace_back();
      lane.group = key.group;
      lane.depth = static_cast<int>(depth);
      lane.blocks = std::move(track.lanes[depth]);
      tracks_of_lanes_.push_back(key);
      for (TimelineBlock& block : lane.blocks) {
        block.start_ns = SaturatingSubtract(block.start_ns, begin_ns_);
        if (block.count > 1) timeline.merged += block.count;
      }
    }
  }
}

Timeline TimelineLanes::Finish(const StringPool& names) {
  Timeline timeline;
  timeline.events = events_;
  timeline.left_out = too_deep_;
  LeaveOutTracks(timeline);
  Coarsen(most_blocks_);
  timeline.span_ns = SaturatingSubtract(end_ns_, begin_ns_);
  timeline.resolution_ns = resolution_ns_;
  MoveLanes(timeline);
  UsedNames used(names);
  for (TimelineLane& lane : timeline.lanes) {
    for (TimelineBlock& block : lane.blocks) block.name = used.IndexOf(block.name);
  }
  used_names_ = used.ids();
  timeline.names = std::move(used).Take();
  return timeline;
}

}  // namespace ridgeline::analysis
