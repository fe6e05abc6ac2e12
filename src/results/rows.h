// The rows of results.sqlite: measurements of every source. Units are in the
// names; what was not measured is empty. docs/results-schema.md describes the tables.
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

// A file that rows came from, or a part of a run that measured by itself.
struct Source {
  std::string file;
  std::string format;               // "torch_trace", "nsys_sqlite", "nsys_csv"
  std::optional<std::string> tool;  // "PyTorch profiler"
  std::optional<int64_t> file_bytes;
  std::optional<int64_t> text_bytes;  // Decompressed.
  std::optional<std::string> sha256;
  std::optional<int64_t> rank;
  std::optional<int64_t> world_size;
  std::optional<int64_t> time_base_ns;  // Add it to times of this source.
  std::optional<int64_t> event_count;
};

struct Device {
  SourceId source = 0;
  std::string label;                 // "0", as the source calls it.
  std::optional<std::string> model;  // "NVIDIA H100 80GB HBM3"
};

// FLOPs of an operator, of those of its calls that have them: the outermost ones with a
// FLOP rule and with shapes.
struct OperatorWork {
  int64_t calls = 0;
  int64_t flops = 0;             // Executed, of matrix products.
  int64_t flops_useful = 0;      // That the result needs.
  std::optional<int64_t> bytes;  // Inputs and outputs once each.
  std::string clock;             // Of `time_ns`: "gpu" (what they launched) or "cpu".
  int64_t time_ns = 0;           // With all operators that they called.
  std::optional<double> mfu;     // Nothing: the peak of the GPU is not known.
};

// All calls of one operator.
struct OperatorTotal {
  SourceId source = 0;
  StringId name = 0;
  int64_t calls = 0;
  int64_t time_total_ns = 0;
  int64_t time_self_ns = 0;  // Without operators inside it.
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
  // Kernels, copies and memsets that it launched itself. Nothing: not attributed.
  std::optional<int64_t> gpu_self_ns;
  std::optional<OperatorWork> work;
};

// An operator that multiplies matrices, going by its name, and that has no FLOPs: no
// rule, or no shapes. Calls inside of counted ones, or that hold one, are not here.
struct UncountedOperator {
  SourceId source = 0;
  StringId name = 0;
  int64_t calls = 0;
  std::string clock;  // "gpu" (what they launched) or "cpu".
  int64_t time_ns = 0;
  double time_share = 0;  // Of all GPU time, or of the CPU time of all operators.
};

// All launches of a kernel, or all copies or memsets of a kind, on one device.
struct GpuTotal {
  DeviceId device = 0;
  StringId name = 0;
  int64_t count = 0;
  int64_t time_total_ns = 0;
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
  std::optional<int64_t> bytes;  // Of copies and memsets, if the source has them.
};

// How a device spent its time. Unions: time in which at least one is running.
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
  int64_t gap_count = 0;        // In which it is idle.
  int64_t gap_max_ns = 0;
  int64_t compute_ns = 0;         // Kernels that do not communicate.
  int64_t memory_ns = 0;          // Copies and memsets.
  int64_t memory_exposed_ns = 0;  // While no kernel runs.
  int64_t communication_count = 0;
  int64_t communication_total_ns = 0;  // Sum, not union.
  int64_t communication_ns = 0;
  int64_t communication_exposed_ns = 0;       // While no computing kernel runs.
  int64_t communication_suspected_count = 0;  // By their names; counted as compute.
  int64_t communication_suspected_total_ns = 0;
  // The same for what was launched inside the trace.
  int64_t launched_inside_count = 0;
  int64_t launched_inside_span_ns = 0;
  int64_t launched_inside_busy_ns = 0;
  int64_t launched_inside_idle_ns = 0;
  // CUDA graphs that were measured as a whole: part of busy, no kernels.
  int64_t graph_count = 0;
  int64_t graph_total_ns = 0;  // Sum, not union.
};

// How long single instances of a region took.
struct InstanceQuantiles {
  int64_t min_ns = 0;
  double median_ns = 0;  // Interpolated, as every quantile: see analysis/statistics.h.
  double p99_ns = 0;
  int64_t max_ns = 0;

  bool operator==(const InstanceQuantiles&) const = default;
};

// Operators and FLOPs of a region, with the regions inside it.
struct RegionWork {
  int64_t operators = 0;         // Calls.
  int64_t cpu_self_ns = 0;       // From begin to end, without regions inside it.
  std::optional<int64_t> flops;  // Executed. Nothing: the trace has no shapes.
  std::optional<int64_t> flops_exclusive;
  std::optional<double> mfu;
};

// What a region (an NVTX range, or an annotation of a PyTorch trace) made GPUs do.
// Exclusive: what was launched while it was the innermost one.
struct RegionTotal {
  SourceId source = 0;
  std::string path;  // "prefill/sam"; a description, if it is not a region.
  std::string kind;  // "push_pop", "start_end", "annotation" or "unattributed".
  int64_t instances = 0;
  int64_t cpu_total_ns = 0;  // From begin to end, of all instances.
  int64_t launches = 0;      // Kernels and graphs, exclusive.
  int64_t launches_inclusive = 0;
  int64_t gpu_exclusive_ns = 0;  // Of kernels and graphs; a sum, not a union.
  int64_t gpu_inclusive_ns = 0;
  int64_t memory_ops = 0;  // Copies and memsets, exclusive.
  int64_t memory_ops_inclusive = 0;
  int64_t memory_exclusive_ns = 0;
  int64_t memory_inclusive_ns = 0;
  std::optional<int64_t> memory_exclusive_bytes;  // Nothing: not known by region.
  std::optional<int64_t> memory_inclusive_bytes;
  // From the first to the last of what an instance launched, and how much of that none
  // of it ran; sums over instances, inclusive. Nothing if they launched nothing.
  std::optional<int64_t> gpu_span_ns;
  std::optional<int64_t> gpu_gap_ns;
  // From begin to end, and from the first to the last of what was launched, of instances
  // that launched anything. Nothing where there is none.
  std::optional<InstanceQuantiles> cpu_instance;
  std::optional<InstanceQuantiles> gpu_span_instance;
  std::optional<RegionWork> work;  // Of PyTorch traces.
};

// Whether a region lies in no other. A "/" of a name has a "\\" before it.
constexpr bool IsOutermostRegion(std::string_view path) {
  for (size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\')
      ++i;
    else if (path[i] == '/')
      return false;
  }
  return true;
}

// A region whose work is known in closed form, against the ceilings of the device.
struct RegionRoofline {
  SourceId source = 0;
  std::string path;
  std::string clock;  // Whose time: "gpu" (kernels and graphs) or "cpu".
  int64_t time_ns = 0;
  int64_t flops = 0;  // Executed, of matrix products.
  int64_t bytes = 0;  // Unavoidable.
  double flops_per_s = 0;
  double bytes_per_s = 0;
  std::optional<double>
      roofline_slowdown;  // Time / roofline time; nothing: no ceiling known.
};

// What a phase of a page costs in closed form. Nothing: more than 64 bits hold, or no
// ceiling is known.
struct PhaseCost {
  SourceId source = 0;
  std::string phase;                           // "decode"; "end_to_end": all of it.
  std::optional<int64_t> flops_matrix;         // Executed, of matrix products.
  std::optional<int64_t> flops_matrix_useful;  // That the result needs.
  std::optional<int64_t> flops_total;          // Executed, of all classes.
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

// From a runtime call to its kernel.
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

// How long a phase of one page took.
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

// Time to first token or inter-token latency of the calls of a program.
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
  int64_t flops = 0;  // Executed, of matrix products.
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

// One launch of a kernel that ncu measured.
struct NcuLaunchRow {
  SourceId source = 0;
  std::optional<int64_t> launch;  // The number ncu gives it within its process.
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
  std::optional<std::string> text;  // Where there is no number.
};

// Result of a rule of ncu for one launch.
struct NcuRuleRow {
  uint32_t launch = 0;
  StringId section = 0;
  StringId name = 0;
  std::string kind;  // "WRN"
  StringId text = 0;
  std::optional<double> speedup_percent;
};

struct DropRow {
  SourceId source = 0;
  DropReason counter = DropReason::kElementNotAnObject;
  int64_t count = 0;
};

}  // namespace ridgeline::results
