// RangeTree: which NVTX range lies in which, and which was open when something was
// launched.
#pragma once

#include <cstdint>
#include <vector>

#include "results/nsys_rows.h"

namespace ridgeline::analysis {

// All are by the indexes of NsysRows::nvtx_ranges and gpu_ops; kNone: none.
struct RangeTree {
  std::vector<uint32_t> parent_of_range;  // Of push/pop ranges.
  std::vector<uint32_t> range_of_op;      // The push/pop range, else the start/end range.
};

RangeTree RangeTreeOf(const results::NsysRows& rows);

// Calls visit(op, open) for each op that has a call, process by process in the order of
// calls; `open` holds the start/end ranges of its process that are open then, those that
// began first before the others.
template <typename Visit>
void VisitStartEnd(const results::NsysRows& rows, const std::vector<uint32_t>& ops,
                   const std::vector<uint32_t>& ranges, Visit visit) {
  using results::NsysGpuOp;
  using results::NvtxRange;
  std::vector<uint32_t> open;
  size_t next = 0;
  uint32_t process = results::kNone;
  for (const uint32_t op_index : ops) {
    const NsysGpuOp& op = rows.gpu_ops[op_index];
    const uint32_t of_op = rows.threads[op.thread].process;
    if (of_op != process) {
      open.clear();
      process = of_op;
    }
    const auto process_of = [&](uint32_t range) {
      return rows.threads[rows.nvtx_ranges[range].thread].process;
    };
    while (next < ranges.size() && process_of(ranges[next]) < process) ++next;
    while (next < ranges.size() && process_of(ranges[next]) == process &&
           rows.nvtx_ranges[ranges[next]].start_ns <= op.call_start_ns) {
      open.push_back(ranges[next++]);
    }
    std::erase_if(open, [&](uint32_t range) {
      return rows.nvtx_ranges[range].end_ns <= op.call_start_ns;
    });
    visit(op_index, open);
  }
}

// Ops that have a call, by process and the begin of it.
std::vector<uint32_t> OpsByProcess(const results::NsysRows& rows);
// Start/end ranges by process and begin.
std::vector<uint32_t> StartEndByProcess(const results::NsysRows& rows);

}  // namespace ridgeline::analysis
