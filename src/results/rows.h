// The rows of results.sqlite: measurements of all sources. Units are in the names; values
// that were not measured are empty. docs/results-schema.md describes the tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/string_pool.h"
#include "results/trace_rows.h"

namespace ridgeline::results {

// Both are indexes in ResultStore's vectors.
using SourceId = uint32_t;
using DeviceId = uint32_t;

// A file that rows came from, or a part of a run with its own measurements.
struct Source {
  std::string file;
  std::string format;               // "torch_trace", "nsys_sqlite", "nsys_csv"
  std::optional<std::string> tool;  // "PyTorch profiler"
  std::optional<int64_t> file_bytes;
  std::optional<int64_t> text_bytes;  // Decompressed.
  std::optional<std::string> sha256;
  std::optional<int64_t> rank;
  std::optional<int64_t> world_size;
  std::optional<int64_t> time_base_ns;  // Offset to add to times of this source.
  std::optional<int64_t> event_count;
};

struct Device {
  SourceId source = 0;
  std::string label;                 // "0", as named in the source.
  std::optional<std::string> model;  // "NVIDIA H100 80GB HBM3"
};

// FLOPs of an operator, over the calls that have them: the outermost ones with a FLOP
// rule and shapes.
struct OperatorWork {
  int64_t calls = 0;
  int64_t flops = 0;             // Executed matrix multiplication FLOPs.
  int64_t flops_useful = 0;      // Needed for the result.
  std::optional<int64_t> bytes;  // Inputs and outputs once each.
  std::string clock;             // Clock of `time_ns`: "gpu" (launched work) or "cpu".
  int64_t time_ns = 0;           // Includes operators called by them.
  std::optional<double> mfu;     // Empty: the GPU's peak is unknown.
};

// All calls of one operator.
struct OperatorTotal {
  SourceId source = 0;
  StringId name = 0;
  int64_t calls = 0;
  int64_t time_total_ns = 0;
  int64_t time_self_ns = 0;  // Without nested operators.
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
  // Kernels, copies and memsets it launched itself. Empty: not attributed.
  std::optional<int64_t> gpu_self_ns;
  std::optional<OperatorWork> work;
};

// An operator that appears to multiply matrices, judging by its name, but has no FLOPs:
// no rule, or no shapes. Calls inside counted ones, or that contain one, are not
// included.
struct UncountedOperator {
  SourceId source = 0;
  StringId name = 0;
  int64_t calls = 0;
  std::string clock;  // "gpu" (launched work) or "cpu".
  int64_t time_ns = 0;
  double time_share = 0;  // Of all GPU time, or of the CPU time of all operators.
};

// All launches of a kernel, or all copies or memsets of one kind, on one device.
struct GpuTotal {
  DeviceId device = 0;
  StringId name = 0;
  int64_t count = 0;
  int64_t time_total_ns = 0;
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
  std::optional<int64_t> bytes;  // Copies and memsets only, if the source has them.
};

// How a device spent its time. Unions: time during which at least one is running.
struct DeviceTime {
  DeviceId device = 0;
  int64_t activity_count = 0;
  int64_t stream_count = 0;
  int64_t first_start_ns = 0;
  int64_t last_end_ns = 0;
  int64_t span_ns = 0;          // From first to last.
  int64_t busy_ns = 0;          // Kernels, copies and memsets.
  int64_t busy_kernels_ns = 0;  // Kernels only.
  int64_t idle_ns = 0;          // span - busy.
  int64_t gap_count = 0;        // Idle periods.
  int64_t gap_max_ns = 0;
  int64_t compute_ns = 0;         // Kernels other than communication.
  int64_t memory_ns = 0;          // Copies and memsets.
  int64_t memory_exposed_ns = 0;  // While no kernel runs.
  int64_t communication_count = 0;
  int64_t communication_total_ns = 0;  // Sum, not union.
  int64_t communication_ns = 0;
  int64_t communication_exposed_ns = 0;       // While no computing kernel runs.
  int64_t communication_suspected_count = 0;  // By name; counted as compute.
  int64_t communication_suspected_total_ns = 0;
  // The same for operations launched within the trace.
  int64_t launched_inside_count = 0;
  int64_t launched_inside_span_ns = 0;
  int64_t launched_inside_busy_ns = 0;
  int64_t launched_inside_idle_ns = 0;
  // CUDA graphs measured as a whole: part of busy, but not kernels.
  int64_t graph_count = 0;
  int64_t graph_total_ns = 0;  // Sum, not union.
};

// Durations of individual instances of a region.
struct InstanceQuantiles {
  int64_t min_ns = 0;
  double median_ns = 0;  // Interpolated, like all quantiles: see analysis/statistics.h.
  double p99_ns = 0;
  int64_t max_ns = 0;

  bool operator==(const InstanceQuantiles&) const = default;
};

// Operators and FLOPs of a region, including nested regions.
struct RegionWork {
  int64_t operators = 0;         // Calls.
  int64_t cpu_self_ns = 0;       // From start to end, without nested regions.
  std::optional<int64_t> flops;  // Executed. Empty: the trace has no shapes.
  std::optional<int64_t> flops_exclusive;
  std::optional<double> mfu;
};

// GPU work of a region (an NVTX range, or an annotation in a PyTorch trace). Exclusive:
// launched while it was the innermost region.
struct RegionTotal {
  SourceId source = 0;
  std::string path;  // "prefill/sam"; a description if it is not a region.
  std::string kind;  // "push_pop", "start_end", "annotation" or "unattributed".
  int64_t instances = 0;
  int64_t cpu_total_ns = 0;  // From start to end, over all instances.
  int64_t launches = 0;      // Kernels and graphs, exclusive.
  int64_t launches_inclusive = 0;
  int64_t gpu_exclusive_ns = 0;  // Kernels and graphs; a sum, not a union.
  int64_t gpu_inclusive_ns = 0;
  int64_t memory_ops = 0;  // Copies and memsets, exclusive.
  int64_t memory_ops_inclusive = 0;
  int64_t memory_exclusive_ns = 0;
  int64_t memory_inclusive_ns = 0;
  std::optional<int64_t> memory_exclusive_bytes;  // Empty: unknown per region.
  std::optional<int64_t> memory_inclusive_bytes;
  // From the first to the last operation launched by an instance, and the part of that
  // time in which none of them ran; sums over instances, inclusive. Empty if nothing was
  // launched.
  std::optional<int64_t> gpu_span_ns;
  std::optional<int64_t> gpu_gap_ns;
  // From start to end, and from the first to the last launched operation, over instances
  // that launched anything. Empty if there are none.
  std::optional<InstanceQuantiles> cpu_instance;
  std::optional<InstanceQuantiles> gpu_span_instance;
  std::optional<RegionWork> work;  // PyTorch traces only.
};

// Whether a region is not nested in another. A "/" in a name is escaped by a backslash.
constexpr bool IsOutermostRegion(std::string_view path) {
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\')
      ++i;
    else if (path[i] == '/')
      return false;
  }
  return true;
}

// A region with closed-form work, compared with the ceilings of the device.
struct RegionRoofline {
  SourceId source = 0;
  std::string path;
  std::string clock;  // Time base: "gpu" (kernels and graphs) or "cpu".
  int64_t time_ns = 0;
  int64_t flops = 0;         // Executed matrix multiplication FLOPs.
  int64_t flops_useful = 0;  // Needed for the result; not in results.sqlite.
  int64_t bytes = 0;         // Compulsory.
  double flops_per_s = 0;
  double bytes_per_s = 0;
  std::optional<double>
      roofline_slowdown;  // Time / roofline time; empty: no known ceiling.
};

// Closed-form cost of a phase of a page. Empty: overflows 64 bits, or no known ceiling.
struct PhaseCost {
  SourceId source = 0;
  std::string phase;                           // "decode"; "end_to_end": all phases.
  std::optional<int64_t> flops_matrix;         // Executed matrix multiplication FLOPs.
  std::optional<int64_t> flops_matrix_useful;  // Needed for the result.
  std::optional<int64_t> flops_total;          // Executed, all classes.
  std::optional<int64_t> bytes_compulsory;
  std::optional<int64_t> bytes_total;
  std::optional<double> roofline_compute_ns;
  std::optional<double> roofline_memory_ns;
  std::string bound;  // "compute", "memory", "unknown"
};

// All calls of one function.
struct ApiTotal {
  SourceId source = 0;
  std::string kind;  // "cuda", "osrt" or "synchronization".
  StringId name = 0;
  int64_t calls = 0;
  int64_t time_total_ns = 0;
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
};

// Latency from a runtime call to its kernel.
struct LaunchDelay {
  SourceId source = 0;
  std::string measure;  // "start_to_start" or "end_to_start" (of the call).
  int64_t count = 0;
  int64_t total_ns = 0;
  double median_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;
};

struct GpuActivityRow {
  DeviceId device = 0;
  StringId stream = 0;
  GpuActivityKind kind = GpuActivityKind::kKernel;
  StringId name = 0;
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  int64_t correlation = kNoCorrelation;
};

// Duration of a phase of one page.
struct PhaseSample {
  enum class Pass : uint8_t { kProfiled, kUnprofiled };

  SourceId source = 0;
  Pass pass = Pass::kUnprofiled;
  int64_t repeat = 0;
  std::string page;
  std::string phase;  // "prefill"
  int64_t duration_ns = 0;
  std::optional<int64_t> tokens;
};

// Time to first token or inter-token latency over the calls of a program.
struct TokenLatency {
  SourceId source = 0;
  std::string measure;  // "ttft", "itl"
  int64_t count = 0;    // Calls, or tokens after the first of each call.
  double mean_ns = 0;
  std::optional<double> mean_low_ns;  // 95 % CI.
  std::optional<double> mean_high_ns;
  double median_ns = 0;
  double p90_ns = 0;
  double p99_ns = 0;
  double min_ns = 0;
  double max_ns = 0;
};

// FLOPs of a phase of one call, counted from the shapes of its operators, and the
// unprofiled time of the same phase.
struct CallFlops {
  SourceId source = 0;
  std::string phase;  // "end_to_end", "prefill"
  int64_t flops = 0;  // Executed matrix multiplication FLOPs.
  int64_t time_ns = 0;
  std::string device;
  std::optional<double> peak_flops_per_s;
  std::optional<double> peak_bytes_per_s;

  std::optional<double> mfu() const {
    if (!peak_flops_per_s || !(*peak_flops_per_s > 0) || time_ns <= 0) return {};
    return static_cast<double>(flops) / (static_cast<double>(time_ns) * 1e-9) /
           *peak_flops_per_s;
  }
};

// One kernel launch measured by ncu.
struct NcuLaunchRow {
  SourceId source = 0;
  std::optional<int64_t> launch;  // ncu's number for it within its process.
  int64_t process_id = 0;
  StringId name = 0;
  std::string device;                // "0"; empty: unknown.
  std::string capability;            // "8.0"; empty: unknown.
  std::optional<std::string> grid;   // "152 4 1"
  std::optional<std::string> block;  // "128 1 1"
  std::optional<double> duration_ns;
};

// A metric of one launch, in base units.
struct NcuMetricRow {
  uint32_t launch = 0;  // Index in ResultStore::ncu_launches.
  StringId section = 0;
  StringId item = 0;
  StringId name = 0;
  StringId unit = 0;  // Of `value`.
  std::optional<double> value;
  std::optional<std::string> text;  // If it is not a number.
};

// Result of an ncu rule for one launch.
struct NcuRuleRow {
  uint32_t launch = 0;
  StringId section = 0;
  StringId name = 0;
  std::string kind;  // "WRN"
  StringId text = 0;
  std::optional<std::string> speedup_kind;  // "global", "local"
  std::optional<double> speedup_percent;
};

struct DropRow {
  SourceId source = 0;
  DropReason counter = DropReason::kElementNotAnObject;
  int64_t count = 0;
};

}  // namespace ridgeline::results
