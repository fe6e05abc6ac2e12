#include <algorithm>
#include <tuple>
#include <utility>

#include "analysis/regions.h"

namespace ridgeline::analysis {
namespace {

using results::kNone;
using results::NsysGpuOp;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;

std::vector<uint32_t> RangesOf(const NsysRows& rows, NvtxKind kind) {
  std::vector<uint32_t> ranges;
  for (size_t i = 0; i < rows.nvtx_ranges.size(); ++i) {
    if (rows.nvtx_ranges[i].kind == kind) ranges.push_back(static_cast<uint32_t>(i));
  }
  return ranges;
}

// place(thread) is what launches are sorted by first.
template <typename Place>
LaunchPoints LaunchesBy(const NsysRows& rows, Place place) {
  results::RowSorter<LaunchPoint, LaunchPointIsBefore> sorter;
  uint32_t index = 0;
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (op.has_call()) sorter.Add({place(op.thread), op.call_start_ns, index});
    ++index;
  }
  return std::move(sorter).Finish();
}

// Walks along one thread after the other.
class ThreadSweep {
 public:
  ThreadSweep(const NsysRows& rows, RangeTree& tree) : rows_(rows), tree_(tree) {}

  void Run() {
    const std::vector<uint32_t> ranges = SortedRanges();
    size_t next = 0;
    const LaunchPoints launches =
        LaunchesBy(rows_, [](uint32_t thread) { return thread; });
    for (const LaunchPoint& launch : launches) {
      while (next < ranges.size() && IsBefore(ranges[next], launch)) Push(ranges[next++]);
      Enter(launch.place);
      Close(launch.call_start_ns);
      if (!open_.empty()) tree_.range_of_op[launch.op] = open_.back();
    }
    while (next < ranges.size()) Push(ranges[next++]);
  }

 private:
  std::vector<uint32_t> SortedRanges() const {
    std::vector<uint32_t> ranges = RangesOf(rows_, NvtxKind::kPushPop);
    // Of ranges that begin at once the longer one is outside.
    std::sort(ranges.begin(), ranges.end(), [&](uint32_t a, uint32_t b) {
      const NvtxRange& x = rows_.nvtx_ranges[a];
      const NvtxRange& y = rows_.nvtx_ranges[b];
      return std::tuple(x.thread, x.start_ns, -x.end_ns, a) <
             std::tuple(y.thread, y.start_ns, -y.end_ns, b);
    });
    return ranges;
  }

  bool IsBefore(uint32_t index, const LaunchPoint& launch) const {
    const NvtxRange& range = rows_.nvtx_ranges[index];
    return range.thread < launch.place ||
           (range.thread == launch.place && range.start_ns <= launch.call_start_ns);
  }

  void Close(int64_t now_ns) {
    std::erase_if(
        open_, [&](uint32_t range) { return rows_.nvtx_ranges[range].end_ns <= now_ns; });
  }

  void Enter(uint32_t thread) {
    if (thread != thread_) open_.clear();
    thread_ = thread;
  }

  void Push(uint32_t index) {
    const NvtxRange& range = rows_.nvtx_ranges[index];
    Enter(range.thread);
    Close(range.start_ns);
    for (size_t i = open_.size(); i > 0; --i) {
      if (rows_.nvtx_ranges[open_[i - 1]].end_ns < range.end_ns) continue;
      tree_.parent_of_range[index] = open_[i - 1];
      break;
    }
    if (range.end_ns > range.start_ns) open_.push_back(index);
  }

  const NsysRows& rows_;
  RangeTree& tree_;
  std::vector<uint32_t> open_;  // In the order of their begins.
  uint32_t thread_ = kNone;
};

}  // namespace

LaunchPoints LaunchesByProcess(const NsysRows& rows) {
  return LaunchesBy(rows, [&](uint32_t thread) { return rows.threads[thread].process; });
}

std::vector<uint32_t> StartEndByProcess(const NsysRows& rows) {
  std::vector<uint32_t> ranges = RangesOf(rows, NvtxKind::kStartEnd);
  std::sort(ranges.begin(), ranges.end(), [&](uint32_t a, uint32_t b) {
    const NvtxRange& x = rows.nvtx_ranges[a];
    const NvtxRange& y = rows.nvtx_ranges[b];
    return std::tuple(rows.threads[x.thread].process, x.start_ns, a) <
           std::tuple(rows.threads[y.thread].process, y.start_ns, b);
  });
  return ranges;
}

RangeTree RangeTreeOf(const NsysRows& rows) {
  RangeTree tree;
  tree.parent_of_range.assign(rows.nvtx_ranges.size(), kNone);
  tree.range_of_op.assign(rows.gpu_ops.size(), kNone);
  ThreadSweep(rows, tree).Run();
  const std::vector<uint32_t> ranges = StartEndByProcess(rows);
  if (ranges.empty()) return tree;
  VisitStartEnd(rows, LaunchesByProcess(rows), ranges,
                [&](uint32_t op, const std::vector<uint32_t>& open) {
                  uint32_t& range = tree.range_of_op[op];
                  if (range == kNone && !open.empty()) range = open.back();
                });
  return tree;
}

}  // namespace ridgeline::analysis
