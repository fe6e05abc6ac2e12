#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/regions.h"
#include "results/packed_rows.h"

namespace ridgeline::analysis {
namespace {

using results::kNone;
using results::NsysGpuOp;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;

// Time and thread of a launch.
struct LaunchPoint {
  uint32_t thread = 0;
  int64_t call_start_ns = 0;
  uint32_t op = 0;

  using Fields = std::array<int64_t, 3>;
  Fields Pack() const { return {thread, call_start_ns, op}; }
  static LaunchPoint Unpack(const Fields& fields) {
    return {static_cast<uint32_t>(fields[0]), fields[1],
            static_cast<uint32_t>(fields[2])};
  }
};
struct LaunchPointIsBefore {
  bool operator()(const LaunchPoint& a, const LaunchPoint& b) const {
    return std::tie(a.thread, a.call_start_ns, a.op) <
           std::tie(b.thread, b.call_start_ns, b.op);
  }
};
using LaunchPoints = results::PackedRows<LaunchPoint, LaunchPointIsBefore>;

LaunchPoints LaunchesByThread(const NsysRows& rows) {
  results::RowSorter<LaunchPoint, LaunchPointIsBefore> sorter;
  uint32_t index = 0;
  for (const NsysGpuOp& op : rows.gpu_ops) {
    if (op.has_call()) sorter.Add({op.thread, op.call_start_ns, index});
    ++index;
  }
  return std::move(sorter).Finish();
}

// Sweeps over the threads one by one.
class ThreadSweep {
 public:
  ThreadSweep(const NsysRows& rows, RangeTree& tree)
      : rows_(rows), tree_(tree), level_of_range_(rows.nvtx_ranges.size(), 0) {}

  void Run() {
    const std::vector<uint32_t> ranges = SortedRanges();
    size_t next = 0;
    const LaunchPoints launches = LaunchesByThread(rows_);
    for (const LaunchPoint& launch : launches) {
      while (next < ranges.size() && IsBefore(ranges[next], launch)) Push(ranges[next++]);
      Enter(launch.thread);
      CloseUntil(launch.call_start_ns);
      if (!open_.empty()) tree_.range_of_op[launch.op] = open_.back();
    }
    while (next < ranges.size()) Push(ranges[next++]);
  }

 private:
  std::vector<uint32_t> SortedRanges() const {
    std::vector<uint32_t> ranges;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      if (rows_.nvtx_ranges[i].kind != NvtxKind::kPushPop) continue;
      ranges.push_back(static_cast<uint32_t>(i));
    }
    // Of ranges that start at the same time, the longer one encloses the others.
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
    return range.thread < launch.thread ||
           (range.thread == launch.thread && range.start_ns <= launch.call_start_ns);
  }

  int64_t EndOf(uint32_t range) const { return rows_.nvtx_ranges[range].end_ns; }

  void CloseUntil(int64_t now_ns) {
    while (!open_.empty() && EndOf(open_.back()) <= now_ns) open_.pop_back();
  }

  void Enter(uint32_t thread) {
    if (thread != thread_) open_.clear();
    thread_ = thread;
  }

  void Push(uint32_t index) {
    const NvtxRange& range = rows_.nvtx_ranges[index];
    Enter(range.thread);
    CloseUntil(range.start_ns);
    while (!open_.empty() && EndOf(open_.back()) < range.end_ns) open_.pop_back();
    if (!open_.empty()) NestIn(open_.back(), index);
    if (range.end_ns == range.start_ns) return;
    if (!open_.empty() && EndOf(open_.back()) == range.end_ns) open_.pop_back();
    open_.push_back(index);
  }

  void NestIn(uint32_t parent, uint32_t index) {
    if (level_of_range_[parent] + 1 == kMaxRangeLevels) {
      parent = tree_.parent_of_range[parent];
      ++tree_.too_deep;
    }
    tree_.parent_of_range[index] = parent;
    level_of_range_[index] = static_cast<uint8_t>(level_of_range_[parent] + 1);
  }

  const NsysRows& rows_;
  RangeTree& tree_;
  std::vector<uint8_t> level_of_range_;  // 0: top level.
  // Candidates for the innermost open range, each ending before the one below it: an
  // older range that does not end later can never be the innermost again. So each range
  // is pushed and popped once, however many stay open.
  std::vector<uint32_t> open_;
  uint32_t thread_ = kNone;
};

}  // namespace

RangeTree RangeTreeOf(const NsysRows& rows) {
  RangeTree tree;
  tree.parent_of_range.assign(rows.nvtx_ranges.size(), kNone);
  tree.range_of_op.assign(rows.gpu_ops.size(), kNone);
  ThreadSweep(rows, tree).Run();
  return tree;
}

}  // namespace ridgeline::analysis
