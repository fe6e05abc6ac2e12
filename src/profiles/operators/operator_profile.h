// operator_profile.json: one pass whose operators were recorded, summed up. The events
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

// Operators by the part of the network that called them: "decoder.layer3.attn.q".
struct ModuleRow {
  std::string module;  // Empty: no part that has a name.
  int64_t calls = 0;
  int64_t self_ns = 0;
  int64_t bytes_self = 0;
  uint64_t flops = 0;

  bool operator==(const ModuleRow&) const = default;
};

// Of the operators that the ring still holds, each where it was called; the most self
// time first. Annotations are not operators and are skipped.
std::vector<ModuleRow> ModuleTable(const Recording& recording);

struct OperatorRow {
  std::string name;
  std::optional<std::string> shapes;  // Empty: not grouped by shape.
  OperatorTotal total;

  bool operator==(const OperatorRow&) const = default;
};

enum class GroupBy { kName, kNameAndShapes };

// Sums over everything that was recorded, lost or not; the most self time first. Self
// times add up to the time within the outermost events.
std::vector<OperatorRow> OperatorTable(const Recording& recording, GroupBy group_by);

inline constexpr const char* kProfileFile = "operator_profile.json";
inline constexpr const char* kTraceFile = "trace.json.gz";

struct OperatorProfile {
  std::string recorder;
  std::string image;
  int64_t max_new_tokens = 0;
  int64_t generated_tokens = 0;
  std::vector<std::string> activities;  // Those that were recorded.
  std::vector<std::string> notes;       // What a reader must know.
  bool has_shapes = false;
  bool has_memory = false;
  bool has_stacks = false;
  bool is_grouped_by_shapes = false;

  // The pass under the recorder, and the same without it just before and just after.
  double wall_s = 0;
  double unprofiled_before_s = 0;
  double unprofiled_after_s = 0;
  // Of a Python program: how many calls of an unprofiled run both times above are the
  // median of; 0: two passes of a built-in model.
  int64_t unprofiled_calls = 0;
  // What the recorder adds to an operator that does nothing; 0: not measured.
  double overhead_per_event_ns = 0;

  int64_t threads = 0;
  int64_t events = 0;  // All of them.
  int64_t events_dropped =
      0;  // In no trace, because the buffer was full; in every table.
  int64_t memory_events = 0;
  int64_t memory_events_dropped = 0;
  int64_t unmatched = 0;  // Began and never ended, or the other way round.
  int64_t buffer_bytes = 0;

  std::vector<OperatorRow> operators;
  std::vector<ModuleRow> modules;

  bool operator==(const OperatorProfile&) const = default;
};

// How much longer the recorded pass took than the mean of the two others; nothing if
// those took no time.
std::optional<double> SlowdownOf(const OperatorProfile& profile);

std::string ToJson(const OperatorProfile& profile);

// Reads what ToJson writes; `origin` is for errors.
Result<OperatorProfile> ParseProfile(std::string_view json, std::string_view origin);

}  // namespace ridgeline::profiles
