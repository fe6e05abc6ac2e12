// The contents of a PyTorch trace as rows. Times are nanoseconds on the trace's own
// clock: exactly the written `ts`, without baseTimeNanoseconds.
//
// A trace of 1 GB has millions of events, so rows are small: names, threads and tracks
// are indices into separate tables.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "results/drop_reason.h"

namespace ridgeline::results {

// Marks a row without a correlation id. Never written by a tool.
inline constexpr int64_t kNoCorrelation = std::numeric_limits<int64_t>::min();

// An operator (cpu_op) or a user annotation on a CPU thread.
struct ThreadCall {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;  // >= 0.
  StringId name = 0;
  uint32_t thread = 0;  // Same process and thread: same number.
};

// A CUDA runtime or driver call with a correlation id.
struct RuntimeCall {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;  // >= 0.
  int64_t correlation = kNoCorrelation;
};

// kGraph: a CUDA graph measured as a whole.
enum class GpuActivityKind : uint8_t { kKernel, kMemcpy, kMemset, kGraph };
const char* NameOf(GpuActivityKind kind);

// The largest track index.
inline constexpr uint32_t kMaxTrack = (uint32_t{1} << 24) - 1;

struct GpuActivity {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;               // >= 0.
  int64_t correlation = kNoCorrelation;  // Of the runtime call that launched it.
  StringId name = 0;
  uint32_t track : 24 = 0;  // Index in TraceRows::tracks.
  GpuActivityKind kind : 8 = GpuActivityKind::kKernel;
};
static_assert(sizeof(ThreadCall) == 24 && sizeof(RuntimeCall) == 24 &&
              sizeof(GpuActivity) == 32);

// One stream of one device.
struct Track {
  uint32_t device = 0;  // Index in TraceRows::devices.
  std::string stream;   // "7"
};

// A GPU in deviceProperties, as far as described by the file.
struct TraceGpu {
  std::string name;
  std::optional<int64_t> sm_count;
  std::optional<int64_t> memory_bytes;
  std::optional<int64_t> capability_major;
  std::optional<int64_t> capability_minor;

  bool operator==(const TraceGpu&) const = default;
};

// Metadata of the file, besides its events.
struct TraceHeader {
  bool is_array = false;          // Only events, like traces from 2020.
  std::vector<std::string> keys;  // Top-level, sorted.
  std::optional<int64_t> schema_version;
  std::optional<std::string> display_time_unit;
  std::optional<int64_t> time_base_ns;  // Subtracted from all times, if recorded.
  std::optional<int64_t> rank;
  std::optional<int64_t> world_size;
  std::vector<std::string> gpu_names;  // From deviceProperties, in order.
  std::map<std::string, std::string> gpu_name_of_device;  // {"0", "NVIDIA H100"}
  std::vector<TraceGpu> gpus;                             // In the same order.
};

// Event counts of the file, read or not.
struct TraceCounts {
  int64_t events = 0;
  std::map<std::string, int64_t> by_phase;             // "" for none.
  std::map<std::string, int64_t> by_category;          // "" for none.
  std::map<std::string, int64_t> categories_not_read;  // Those of kCategoryNotRead.
  int64_t complete_with_fractional_ts = 0;  // Phase X, ts written as 1.5 or 1e3.
  int64_t steps_called_operators = 0;       // Read as annotations.
};

// Prefix of the names of PyTorch's profiler steps: "ProfilerStep#3".
inline constexpr std::string_view kProfilerStep = "ProfilerStep#";

struct TraceRows {
  int64_t text_bytes = 0;  // JSON, decompressed.
  TraceHeader header;
  TraceCounts counts;
  DropCounts left_out;

  StringPool names;
  uint32_t thread_count = 0;
  std::vector<std::string> devices;  // "0", in the order of their first activity.
  std::vector<Track> tracks;

  // In file order.
  std::vector<ThreadCall> operators;
  std::vector<ThreadCall> annotations;
  std::vector<RuntimeCall> runtime_calls;
  std::vector<uint32_t> runtime_call_threads;  // One per call.
  std::vector<GpuActivity> gpu_activities;

  // The inputs of each operator, as indices of texts in `inputs`; 0: none. Empty: no
  // operator in the trace has any. Texts: profiles/torch_trace/operator_inputs.h.
  std::vector<uint32_t> operator_inputs;
  StringPool inputs;

  // Bytes of copies and memsets, if recorded, summed by track and name.
  std::map<std::pair<uint32_t, StringId>, int64_t> memory_bytes;
};

}  // namespace ridgeline::results
