// profile.json: one pass whose operators were recorded, summed up. The events themselves
// are in trace.json.gz.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profiles/operators/module_table.h"
#include "profiles/operators/operator_table.h"

namespace ridgeline::profiles {

inline constexpr const char* kProfileFile = "profile.json";
inline constexpr const char* kTraceFile = "trace.json.gz";

struct Profile {
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
  double unrecorded_before_s = 0;
  double unrecorded_after_s = 0;
  // What the recorder adds to an operator that does nothing.
  double cost_per_event_ns = 0;

  int64_t threads = 0;
  int64_t events = 0;       // All of them.
  int64_t events_lost = 0;  // In no trace, because the buffer was full; in every table.
  int64_t memory_events = 0;
  int64_t memory_events_lost = 0;
  int64_t unmatched = 0;  // Began and never ended, or the other way round.
  int64_t buffer_bytes = 0;

  std::vector<OperatorRow> operators;
  std::vector<ModuleRow> modules;

  bool operator==(const Profile&) const = default;
};

// How much longer the recorded pass took than the mean of the two others; nothing if
// those took no time.
std::optional<double> SlowdownOf(const Profile& profile);

std::string ToJson(const Profile& profile);

// Reads what ToJson writes; `origin` is for errors.
Result<Profile> ParseProfile(std::string_view json, std::string_view origin);

}  // namespace ridgeline::profiles
