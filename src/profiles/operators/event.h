#pragma once

#include <cstdint>

namespace ridgeline::profiles {

enum class EventKind : uint8_t {
  kOperator,    // libtorch's dispatcher was given it.
  kAnnotation,  // A part of the work that has a name: a region, the whole pass.
};

// One operator, from its call to its return. 72 bytes, because there are millions.
struct Event {
  int64_t start_ns = 0;  // From the recording's begin.
  int64_t duration_ns = 0;
  int64_t self_ns = 0;      // Without the events within it.
  int64_t bytes_self = 0;   // Memory taken minus given back, without the events within.
  int64_t bytes_total = 0;  // And with them.
  uint64_t flops = 0;       // Of products of matrices; the outermost that has them.
  uint32_t name = 0;        // Ids: see Recording.
  uint32_t scope = 0;
  uint32_t shapes = 0;
  uint32_t stack = 0;
  uint16_t depth = 0;  // Events that it is within.
  EventKind kind = EventKind::kOperator;
  bool is_within_same_name = false;

  bool operator==(const Event&) const = default;
};

}  // namespace ridgeline::profiles
