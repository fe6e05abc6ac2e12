// What a recorder saw of a workload: every operator that ran, with its times, and what
// was asked for beside them. No libtorch here: whoever records fills it, whoever writes
// tables and traces reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiles/operators/event_ring.h"
#include "profiles/operators/operator_totals.h"

namespace ridgeline::profiles {

// The inputs of an operator as JSON: `[[1,64],[64,64]]` and `["float","float"]`. What is
// no tensor has no sizes, `[]`.
struct InputShapes {
  std::string sizes;
  std::string types;
};

// Memory that was taken (bytes > 0) or given back.
struct MemoryEvent {
  int64_t time_ns = 0;
  int64_t bytes = 0;
  int64_t address = 0;
  int64_t allocated_bytes = 0;  // By this thread since the recording began; may be < 0.
};

struct RecordedThread {
  int64_t id = 0;  // As the system names it.
  EventRing events;
  // Of events that the ring has lost.
  OperatorTotals lost;
  std::vector<MemoryEvent> memory;
  int64_t memory_lost = 0;  // Allocations and frees that found no space.
  int64_t unmatched = 0;    // Operators whose end was never seen.
};

struct Recording {
  int64_t begin_unix_ns = 0;
  int64_t duration_ns = 0;
  bool has_shapes = false;
  bool has_memory = false;
  bool has_stacks = false;
  // Names for the ids in events. The first of scopes, shapes and stacks is "none".
  std::vector<std::string> names;
  std::vector<std::string> scopes;
  std::vector<InputShapes> shapes;
  std::vector<std::string> stacks;  // Frames, the innermost first, with ';' between.
  std::vector<RecordedThread> threads;
};

}  // namespace ridgeline::profiles
