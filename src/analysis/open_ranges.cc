#include "analysis/open_ranges.h"

#include <algorithm>
#include <tuple>

namespace ridgeline::analysis {

using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;

// Start or end of a range.
struct OpenRanges::Edge {
  uint32_t process = 0;
  int64_t time_ns = 0;
  bool is_begin = false;  // Ends are exclusive, so they sort first.
  uint32_t range = 0;

  bool operator<(const Edge& other) const {
    return std::tie(process, time_ns, is_begin, range) <
           std::tie(other.process, other.time_ns, other.is_begin, other.range);
  }
};

OpenRanges::OpenRanges(const NsysRows& rows) {
  std::vector<Edge> edges;
  for (size_t i = 0; i < rows.nvtx_ranges.size(); ++i) {
    const NvtxRange& range = rows.nvtx_ranges[i];
    if (range.kind != NvtxKind::kStartEnd || range.end_ns == range.start_ns) continue;
    const uint32_t process = rows.threads[range.thread].process;
    edges.push_back({process, range.start_ns, true, static_cast<uint32_t>(i)});
    edges.push_back({process, range.end_ns, false, static_cast<uint32_t>(i)});
  }
  std::sort(edges.begin(), edges.end());
  std::vector<uint32_t> open;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (i > 0 && edges[i].process != edges[i - 1].process) open.clear();
    Apply(edges[i], open);
    const bool is_last_of_moment = i + 1 == edges.size() ||
                                   edges[i + 1].process != edges[i].process ||
                                   edges[i + 1].time_ns != edges[i].time_ns;
    if (!is_last_of_moment) continue;
    open_.insert(open_.end(), open.begin(), open.end());
    steps_.push_back({edges[i].process, edges[i].time_ns, open_.size()});
  }
}

void OpenRanges::Apply(const Edge& edge, std::vector<uint32_t>& open) {
  if (!edge.is_begin) {
    std::erase(open, edge.range);
    return;
  }
  open.push_back(edge.range);
  if (open.size() <= kMaxOpen) return;
  open.erase(open.begin());
  ++given_up_;
}

std::span<const uint32_t> OpenRanges::At(uint32_t process, int64_t now_ns) const {
  const auto after =
      std::upper_bound(steps_.begin(), steps_.end(), std::tuple(process, now_ns),
                       [](const auto& place, const Step& step) {
                         return place < std::tuple(step.process, step.from_ns);
                       });
  if (after == steps_.begin() || std::prev(after)->process != process) return {};
  const auto step = std::prev(after);
  const size_t begin = step == steps_.begin() ? 0 : std::prev(step)->end;
  return std::span(open_).subspan(begin, step->end - begin);
}

}  // namespace ridgeline::analysis
