// Times as tools write them, in microseconds with decimals, as whole nanoseconds. Not by
// way of a double: those that count from 1970 have 19 digits in nanoseconds, and doubles
// of that size are 256 apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridgeline::profiles {

struct DecimalTime {
  enum class Fault : uint8_t { kNone, kNotANumber, kOutOfRange };

  int64_t ns = 0;
  Fault fault = Fault::kNone;
  bool is_fractional = false;  // Written with a point or an exponent.
};

// Both times and durations stay below this, so that their sums and differences fit: 146
// years.
inline constexpr int64_t kTimeLimitNs = int64_t{1} << 62;

// "1695835572943613.125" (microseconds) is 1695835572943613125 ns. What is finer is
// rounded, halves to the even neighbour. JSON's numbers, no others.
DecimalTime MicrosecondsToNs(std::string_view text);

}  // namespace ridgeline::profiles
