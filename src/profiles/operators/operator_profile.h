// operator_profile.json: summary of one pass whose operators were recorded. The events
// themselves are in trace.json.gz.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

// Operators by the part of the network that called them: "decoder.layer3.attn.q"
struct ModuleRow {
  std::string module;  // Empty: no named part.
  int64_t calls = 0;
  int64_t self_ns = 0;
  int64_t bytes_self = 0;
  uint64_t flops = 0;

  bool operator==(const ModuleRow&) const = default;
};

// For the operators still in the ring, by call site; by descending self time. Annotations
// are not operators and are skipped.
std::vector<ModuleRow> ModuleTable(const Recording& recording);

struct OperatorRow {
  std::string name;
  std::optional<std::string> shapes;  // Empty: not grouped by shape.
  OperatorTotal total;

  bool operator==(const OperatorRow&) const = default;
};

enum class GroupBy { kName, kNameAndShapes };

// Sums over everything recorded, including lost events; by descending self time. Self
// times add up to the time within the outermost events.
std::vector<OperatorRow> OperatorTable(const Recording& recording, GroupBy group_by);

inline constexpr const char* kProfileFile = "operator_profile.json";
inline constexpr const char* kTraceFile = "trace.json.gz";

struct OperatorProfile {
  std::string recorder;
  std::string image;
  int64_t max_new_tokens = 0;
  int64_t generated_tokens = 0;
  std::vector<std::string> activities;  // Activities that were recorded.
  std::vector<std::string> notes;       // Caveats for the reader.
  bool has_shapes = false;
  bool has_memory = false;
  bool has_stacks = false;
  bool is_grouped_by_shapes = false;

  // The pass under the recorder, and the same pass without it right before and after.
  double wall_s = 0;
  double unprofiled_before_s = 0;
  double unprofiled_after_s = 0;
  // For Python programs: number of calls of an unprofiled run whose median is both times
  // above; 0: two passes of a built-in model.
  int64_t unprofiled_calls = 0;
  // Overhead of the recorder for an empty operator; 0: not measured.
  double overhead_per_event_ns = 0;

  int64_t threads = 0;
  int64_t events = 0;  // Total.
  int64_t events_dropped =
      // Missing in the trace because the buffer was full, but in every table.
      0;
  int64_t memory_events = 0;
  int64_t memory_events_dropped = 0;
  int64_t unmatched = 0;  // Start without end, or end without start.
  int64_t buffer_bytes = 0;

  std::vector<OperatorRow> operators;
  std::vector<ModuleRow> modules;

  bool operator==(const OperatorProfile&) const = default;
};

// Slowdown of the recorded pass relative to the mean of the two others; nullopt if those
// took no time.
std::optional<double> SlowdownOf(const OperatorProfile& profile);

std::string ToJson(const OperatorProfile& profile);

// Reads the output of ToJson; `origin` is for errors.
Result<OperatorProfile> ParseProfile(std::string_view json, std::string_view origin);

}  // namespace ridgeline::profiles
