// The contents of an nsys SQLite export as rows. Times are nanoseconds on the export's
// own clock. A capture has millions of kernels, so rows are small: names, threads and
// streams are indices into separate tables, and ops are packed.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/string_pool.h"
#include "results/drop_reason.h"
#include "results/packed_rows.h"
#include "results/trace_rows.h"

namespace ridgeline::results {

// An index that refers to nothing.
inline constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// A kernel, memcpy or memset, or a whole CUDA graph, on a GPU.
struct NsysGpuOp {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;               // >= 0.
  int64_t correlation = kNoCorrelation;  // Unique within one process only.
  // Of the runtime call that launched it; `thread` is kNone if unknown.
  int64_t call_start_ns = 0;
  int64_t call_duration_ns = 0;
  uint32_t thread = kNone;  // Index in NsysRows::threads.
  // Index in kernel_shapes for a kernel, in memory_ops for a memcpy or memset, in graphs
  // for a graph.
  uint32_t detail = 0;
  uint32_t track : 24 = 0;  // Index in NsysRows::tracks.
  GpuActivityKind kind : 8 = GpuActivityKind::kKernel;

  int64_t end_ns() const { return start_ns + duration_ns; }
  bool has_call() const { return thread != kNone; }

  // For PackedRows. Values that seldom change between ops share a field.
  using Fields = std::array<int64_t, 7>;
  Fields Pack() const {
    const uint64_t place =
        (uint64_t{thread} << 32) | (uint64_t{track} << 8) | static_cast<uint64_t>(kind);
    return {start_ns,
            duration_ns,
            correlation,
            call_start_ns,
            call_duration_ns,
            int64_t{detail},
            static_cast<int64_t>(place)};
  }
  static NsysGpuOp Unpack(const Fields& fields) {
    NsysGpuOp op;
    op.start_ns = fields[0];
    op.duration_ns = fields[1];
    op.correlation = fields[2];
    op.call_start_ns = fields[3];
    op.call_duration_ns = fields[4];
    op.detail = static_cast<uint32_t>(fields[5]);
    const auto place = static_cast<uint64_t>(fields[6]);
    op.thread = static_cast<uint32_t>(place >> 32);
    op.track = static_cast<uint32_t>(place >> 8) & kMaxTrack;
    op.kind = static_cast<GpuActivityKind>(place & 0xFF);
    return op;
  }
};

// Of ops with the same start, the shorter one comes first.
struct NsysGpuOpBegins {
  bool operator()(const NsysGpuOp& a, const NsysGpuOp& b) const {
    if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
    return a.duration_ns < b.duration_ns;
  }
};
using NsysGpuOps = PackedRows<NsysGpuOp, NsysGpuOpBegins>;
using NsysGpuOpSorter = RowSorter<NsysGpuOp, NsysGpuOpBegins>;

struct NsysKernelShape {
  StringId name = 0;  // Demangled, with template arguments.
  StringId short_name = 0;
  std::array<uint32_t, 3> grid = {};
  std::array<uint32_t, 3> block = {};

  bool operator==(const NsysKernelShape&) const = default;
};

struct NsysMemoryOp {
  StringId name = 0;  // "HtoD", "memset"
  int64_t bytes = 0;
  // Unified memory: done by the driver, on a page fault or a hint. Not launched by a
  // call.
  bool is_migration = false;
};

// One stream of one device in one process.
struct NsysTrack {
  uint32_t process = 0;  // Index in NsysRows::processes.
  uint32_t device = 0;   // Index in NsysRows::devices.
  int64_t stream = 0;
};

// A GPU as seen by processes. Each process numbers its devices from 0, and
// CUDA_VISIBLE_DEVICES determines which GPU is 0, so the number alone does not identify a
// GPU.
struct NsysGpu {
  int64_t id = 0;     // The deviceId of its activities.
  std::string label;  // "0"; "0 (GPU 3)" or "0 (process 144)" if it is ambiguous.
  std::optional<std::string> model = {};
};

struct NsysThread {
  int64_t global_tid = 0;
  uint32_t process = 0;
};

struct NvtxDomain {
  uint32_t process = 0;
  int64_t id = 0;    // 0: the default stream.
  std::string name;  // Empty: unknown.
};

enum class NvtxKind : uint8_t {
  kPushPop,   // Nests within its thread.
  kStartEnd,  // Belongs to its process and may end on another thread.
};

struct NvtxRange {
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // >= start_ns.
  StringId name = 0;
  uint32_t thread = 0;
  uint32_t domain = 0;  // Index in NsysRows::domains.
  NvtxKind kind = NvtxKind::kPushPop;
  bool is_open = false;  // Never closed: its end is that of the last event.
};
static_assert(sizeof(NvtxRange) == 32);

// Calls of one function of the CUDA runtime or of the OS libraries, or synchronizations
// of one kind; aggregated while reading, because only totals are needed.
struct NsysApiTotal {
  enum class Kind : uint8_t { kRuntime, kOsRuntime, kSynchronization };

  Kind kind = Kind::kRuntime;
  StringId name = 0;
  int64_t calls = 0;
  int64_t time_total_ns = 0;
  int64_t time_min_ns = 0;
  int64_t time_max_ns = 0;
};

// Metadata of the file.
struct NsysHeader {
  int64_t table_count = 0;
  std::vector<std::string> tables;        // Sorted.
  std::optional<std::string> meta_table;  // Where the versions were found.
  std::optional<std::string> export_version;
  std::optional<std::string> schema_version;
  std::optional<std::vector<std::string>> gpu_names;  // Empty: no such table.
  std::map<int64_t, std::string> gpu_name_of_device;
  // By process and deviceId, if the export has them (2020; since 2025.1).
  struct Gpu {
    std::string id;  // The GPU's number or bus address: the same in all processes.
    std::optional<std::string> name = {};
  };
  std::map<std::pair<int64_t, int64_t>, Gpu> gpu_of_process_device;
  // Environment variables of the profiled processes; only counted, not kept.
  int64_t environment_values = 0;
  int64_t environment_secrets = 0;  // With names like API_KEY, TOKEN, PASSWORD.
  // Warnings and errors of nsys itself, such as why there are no kernels; unique.
  struct Diagnostic {
    bool is_error = false;
    std::string text;
  };
  std::vector<Diagnostic> diagnostics;
};

struct NsysNvtxCounts {
  int64_t rows = 0;
  std::map<int64_t, int64_t> by_event_type;
  std::map<int64_t, int64_t> open_by_event_type;  // Ranges without an end.
  int64_t text_inline = 0;
  int64_t text_by_id = 0;
};

struct NsysRows {
  NsysHeader header;
  DropCounts left_out;

  StringPool names;
  std::vector<int64_t> processes;  // By globalPid.
  std::vector<NsysThread> threads;
  std::vector<NsysGpu> devices;  // In the order of their first activity.
  std::vector<NsysTrack> tracks;
  std::vector<NsysKernelShape> kernel_shapes;
  std::vector<NsysMemoryOp> memory_ops;
  std::vector<int64_t> graphs;  // By graphExecId or graphId.
  std::vector<NvtxDomain> domains;

  bool IsMigration(const NsysGpuOp& op) const {
    return op.kind == GpuActivityKind::kMemcpy && memory_ops[op.detail].is_migration;
  }

  NsysGpuOps gpu_ops;                  // By start_ns.
  std::vector<NvtxRange> nvtx_ranges;  // In file order.
  NsysNvtxCounts nvtx;
  std::vector<NsysApiTotal> api_totals;

  int64_t runtime_calls = 0;
  int64_t duplicate_correlations = 0;  // Calls that reuse the id of an earlier call.
  int64_t kernels_of_negative_duration = 0;
};

}  // namespace ridgeline::results
