#include "analysis/range_tree.h"

#include <algorithm>
#include <tuple>

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

std::vector<uint32_t> OpsWithCalls(const NsysRows& rows) {
  std::vector<uint32_t> ops;
  ops.reserve(rows.gpu_ops.size());
  for (size_t i = 0; i < rows.gpu_ops.size(); ++i) {
    if (rows.gpu_ops[i].has_call()) ops.push_back(static_cast<uint32_t>(i));
  }
  return ops;
}

// Walks along one thread after the other.
class ThreadSweep {
 public:
  ThreadSweep(const NsysRows& rows, RangeTree& tree) : rows_(rows), tree_(tree) {}

  void Run() {
    const std::vector<uint32_t> ranges = SortedRanges();
    size_t next = 0;
    for (const uint32_t index : SortedOps()) {
      const NsysGpuOp& op = rows_.gpu_ops[index];
      while (next < ranges.size() && IsBefore(ranges[next], op)) Push(ranges[next++]);
      Enter(op.thread);
      Close(op.call_start_ns);
      if (!open_.empty()) tree_.range_of_op[index] = open_.back();
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

  std::vector<uint32_t> SortedOps() const {
    std::vector<uint32_t> ops = OpsWithCalls(rows_);
    std::sort(ops.begin(), ops.end(), [&](uint32_t a, uint32_t b) {
      const NsysGpuOp& x = rows_.gpu_ops[a];
      const NsysGpuOp& y = rows_.gpu_ops[b];
      return std::tuple(x.thread, x.call_start_ns, a) <
             std::tuple(y.thread, y.call_start_ns, b);
    });
    return ops;
  }

  bool IsBefore(uint32_t index, const NsysGpuOp& op) const {
    const NvtxRange& range = rows_.nvtx_ranges[index];
    return range.thread < op.thread ||
           (range.thread == op.thread && range.start_ns <= op.call_start_ns);
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

std::vector<uint32_t> OpsByProcess(const NsysRows& rows) {
  std::vector<uint32_t> ops = OpsWithCalls(rows);
  std::sort(ops.begin(), ops.end(), [&](uint32_t a, uint32_t b) {
    const NsysGpuOp& x = rows.gpu_ops[a];
    const NsysGpuOp& y = rows.gpu_ops[b];
    return std::tuple(rows.threads[x.thread].process, x.call_start_ns, a) <
           std::tuple(rows.threads[y.thread].process, y.call_start_ns, b);
  });
  return ops;
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
  VisitStartEnd(rows, OpsByProcess(rows), ranges,
                [&](uint32_t op, const std::vector<uint32_t>& open) {
                  uint32_t& range = tree.range_of_op[op];
                  if (range == kNone && !open.empty()) range = open.back();
                });
  return tree;
}

}  // namespace ridgeline::analysis
