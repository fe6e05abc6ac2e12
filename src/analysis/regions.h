// Which parts of a program, by its NVTX ranges, kept GPUs busy?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "results/drop_reason.h"
#include "results/nsys_rows.h"
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

// All push/pop ranges of one name, whatever they lie in. Of ranges of one name within
// each other (recursion) only the outermost one counts: it holds what the others hold.
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
  GpuWork migrations;          // Of unified memory, launched by no call.
  int64_t kernels_inside = 0;  // Launched inside of any push/pop range.
  // Only of push/pop ranges with GPU work.
  std::vector<NvtxNameTotal> names;
  // The region of each of NsysRows::gpu_ops, as an index in `regions`; kNone: none.
  std::vector<uint32_t> region_of_op;
  results::DropCounts left_out;  // Ranges whose work is not known in full.
};

// A push/pop range lies in the range that began last of those on its thread that hold it
// as a whole; its path is theirs and its own name: "prefill/sam". A "/" or "\\" of a name
// has a "\\" before it. PyTorch's numbers of calls (", op_id = 12", ", seq = 3") are no
// part of names here. Names of domains other than the default one come before the name:
// "NCCL:ncclAllReduce".
//
// An op belongs to the push/pop range that began last of those open on the launching
// thread when the runtime call began. Without one it belongs to the start/end range that
// began last of those open in the process; these do not nest. What a start/end region
// holds inclusively is all that its process launched while it was open, once however many
// of its instances were; the span and the gap of an instance are of all that was launched
// while that instance was open.
//
// The exclusive work of all regions and what is outside of them are the total; an error
// if they are not.
Result<RegionFindings> RegionsOf(const results::NsysRows& rows);

// "aten::to, op_id = 7, sizes = [1]" -> "aten::to, sizes = [1]"
std::string WithoutCallNumbers(std::string_view name);

// Push/pop ranges lie on at most so many levels; deeper ones count as siblings on the
// last level, each without its children. Programs that forget to pop add a level per
// call.
inline constexpr int kMaxRangeLevels = 64;

// Which push/pop range lies in which, and which was open when something was launched. By
// the indexes of NsysRows::nvtx_ranges and gpu_ops; kNone: none.
struct RangeTree {
  std::vector<uint32_t> parent_of_range;
  std::vector<uint32_t> range_of_op;
  int64_t too_deep = 0;  // Ranges beyond the last level.
};

RangeTree RangeTreeOf(const results::NsysRows& rows);

}  // namespace ridgeline::analysis
