// RangeTree: which NVTX range lies in which, and which was open when something was
// launched.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "results/nsys_rows.h"
#include "results/packed_rows.h"

namespace ridgeline::analysis {

// All are by the indexes of NsysRows::nvtx_ranges and gpu_ops; kNone: none.
struct RangeTree {
  std::vector<uint32_t> parent_of_range;  // Of push/pop ranges.
  std::vector<uint32_t> range_of_op;      // The push/pop range, else the start/end range.
};

RangeTree RangeTreeOf(const results::NsysRows& rows);

// When an op was launched, and where: by which thread, or in which process.
struct LaunchPoint {
  uint32_t place = 0;
  int64_t call_start_ns = 0;
  uint32_t op = 0;

  using Fields = std::array<int64_t, 3>;
  Fields Pack() const { return {place, call_start_ns, op}; }
  static LaunchPoint Unpack(const Fields& fields) {
    return {static_cast<uint32_t>(fields[0]), fields[1],
            static_cast<uint32_t>(fields[2])};
  }
};
struct LaunchPointIsBefore {
  bool operator()(const LaunchPoint& a, const LaunchPoint& b) const {
    return std::tie(a.place, a.call_start_ns, a.op) <
           std::tie(b.place, b.call_start_ns, b.op);
  }
};
using LaunchPoints = results::PackedRows<LaunchPoint, LaunchPointIsBefore>;

// Of the ops that have a call, by process and the begin of it.
LaunchPoints LaunchesByProcess(const results::NsysRows& rows);
// Start/end ranges by process and begin.
std::vector<uint32_t> StartEndByProcess(const results::NsysRows& rows);

// Calls visit(op, open) for each of `launches`, which are by process; `open` holds those
// of `ranges`, start/end ranges of its process, that are open then, those that began
// first before the others.
template <typename Visit>
void VisitStartEnd(const results::NsysRows& rows, const LaunchPoints& launches,
                   const std::vector<uint32_t>& ranges, Visit visit) {
  std::vector<uint32_t> open;
  size_t next = 0;
  uint32_t process = results::kNone;
  for (const LaunchPoint& launch : launches) {
    if (launch.place != process) {
      open.clear();
      process = launch.place;
    }
    const auto process_of = [&](uint32_t range) {
      return rows.threads[rows.nvtx_ranges[range].thread].process;
    };
    while (next < ranges.size() && process_of(ranges[next]) < process) ++next;
    while (next < ranges.size() && process_of(ranges[next]) == process &&
           rows.nvtx_ranges[ranges[next]].start_ns <= launch.call_start_ns) {
      open.push_back(ranges[next++]);
    }
    std::erase_if(open, [&](uint32_t range) {
      return rows.nvtx_ranges[range].end_ns <= launch.call_start_ns;
    });
    visit(launch.op, open);
  }
}

}  // namespace ridgeline::analysis
