// GPU time by the NVTX ranges of a program.
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

// Work launched in one or several regions.
struct GpuWork {
  int64_t launches = 0;  // Kernels and graphs.
  int64_t gpu_ns = 0;    // Of kernels and graphs.
  int64_t memory_ops = 0;
  int64_t memory_ns = 0;
  int64_t memory_bytes = 0;

  bool operator==(const GpuWork&) const = default;
};

// All push/pop ranges of one name, whatever encloses them. Of recursive ranges only the
// outermost one counts: its time includes that of the others.
struct NvtxNameTotal {
  StringId name = 0;
  int64_t kernels = 0;         // Launched inside, at any depth.
  int64_t kernel_time_ns = 0;  // Of these kernels.
  int64_t gpu_ops = 0;         // Kernels, copies, memsets and graphs.
  int64_t instances_with_gpu_ops = 0;
  int64_t gpu_span_ns = 0;  // First to last op of an instance, summed.
};

struct RegionFindings {
  // By descending inclusive GPU time.
  std::vector<results::RegionTotal> regions;
  GpuWork total;
  GpuWork outside;             // Launched outside all ranges.
  GpuWork without_call;        // Launched by a call that is not in the capture.
  GpuWork migrations;          // Unified memory migrations, which have no launching call.
  int64_t kernels_inside = 0;  // Launched inside any push/pop range.
  // Push/pop ranges with GPU work only.
  std::vector<NvtxNameTotal> names;
  // For each of NsysRows::gpu_ops, an index into `regions`, or kNone.
  std::vector<uint32_t> region_of_op;
  results::DropCounts left_out;  // Ranges whose work is only partly known.
};

// The parent of a push/pop range is the latest-starting range on its thread that encloses
// it completely; a path consists of the names: "prefill/sam". A "/" or "\\" in a name is
// escaped with a "\\". PyTorch's call numbers (", op_id = 12", ", seq = 3") are removed
// from names. Domains other than the default one are a prefix of the name:
// "NCCL:ncclAllReduce".
//
// An op belongs to the latest-starting push/pop range open on the launching thread when
// the runtime call began, otherwise to the latest-starting start/end range open in the
// process. Start/end ranges do not nest. The inclusive work of a start/end region is
// everything its process launched while it was open, counted once however many of its
// instances were open; span and gap of an instance cover everything launched while that
// instance was open.
//
// The exclusive work of all regions plus the work outside them must equal the total;
// fails if it does not.
Result<RegionFindings> RegionsOf(const results::NsysRows& rows);

// "aten::to, op_id = 7, sizes = [1]" -> "aten::to, sizes = [1]"
std::string WithoutCallNumbers(std::string_view name);

// Maximum nesting depth of push/pop ranges; deeper ones count as siblings on the last
// level, each without its children. Programs that forget to pop add a level per call.
inline constexpr int kMaxRangeLevels = 64;

// Parents of push/pop ranges, and the range that was open at each launch. Indexed like
// NsysRows::nvtx_ranges and gpu_ops; kNone: no range.
struct RangeTree {
  std::vector<uint32_t> parent_of_range;
  std::vector<uint32_t> range_of_op;
  int64_t too_deep = 0;  // Ranges below the deepest level.
};

RangeTree RangeTreeOf(const results::NsysRows& rows);

}  // namespace ridgeline::analysis
