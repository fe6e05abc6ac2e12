// Which parts of a program, by its NVTX ranges, kept GPUs busy?
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "results/nsys_rows.h"
#include "results/packed_rows.h"
#include "results/rows.h"

namespace ridgeline::analysis {

// What was launched, in one or several regions.
struct GpuWork {
  int64_t launches = 0;  // Kernels and graphs.
  int64_t gpu_ns = 0;    // Of those.
  int64_t memory_ops = 0;
  int64_t memory_ns = 0;
  int64_t memory_bytes = 0;

  bool operator==(const GpuWork&) const = default;
};

// All ranges of one name, whatever they lie in.
struct NvtxNameTotal {
  StringId name = 0;
  int64_t kernels = 0;         // Launched inside, however deep.
  int64_t kernel_time_ns = 0;  // Of those.
  int64_t gpu_ops = 0;         // Kernels, copies, fills and graphs.
  int64_t instances_with_gpu_ops = 0;
  int64_t gpu_span_ns = 0;  // From the first to the last of an instance, summed up.
};

struct RegionFindings {
  // The one that took most of the GPU's time, inclusive, first.
  std::vector<results::RegionTotal> regions;
  GpuWork total;
  GpuWork outside;             // Launched outside of all ranges.
  GpuWork without_call;        // Launched by a call that the capture does not have.
  int64_t kernels_inside = 0;  // Launched inside of any push/pop range.
  // Only of push/pop ranges with GPU work.
  std::vector<NvtxNameTotal> names;
  // The region of each of NsysRows::gpu_ops, as an index in `regions`; kNone: none.
  std::vector<uint32_t> region_of_op;
};

// A push/pop range lies in the range that began last of those on its thread that hold it
// as a whole; its path is theirs and its own name: "prefill/sam". PyTorch's numbers of
// calls (", op_id = 12", ", seq = 3") are no part of names here. Names of domains other
// than the default one come before the name: "NCCL:ncclAllReduce".
//
// An op belongs to the push/pop range that began last of those open on the launching
// thread when the runtime call began. Without one it belongs to the start/end range that
// began last of those open in the process; these do not nest. What a start/end region
// holds inclusively is all that its process launched while it was open.
//
// The exclusive work of all regions and what is outside of them are the total; an error
// if they are not.
Result<RegionFindings> RegionsOf(const results::NsysRows& rows);

// "aten::to, op_id = 7, sizes = [1]" -> "aten::to, sizes = [1]"
std::string WithoutCallNumbers(std::string_view name);

// RangeTree: which NVTX range lies in which, and which was open when something was
// launched.

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
