// Converts times in microseconds with decimals, as written by tools, to integer
// nanoseconds. Not via double: times since 1970 have 19 digits in nanoseconds, and
// doubles of that magnitude are 256 apart.
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

// Limit of both times and durations, so that their sums and differences fit: 146 years.
inline constexpr int64_t kTimeLimitNs = int64_t{1} << 62;

// "1695835572943613.125" (microseconds) is 1695835572943613125 ns. Rounds half to even.
// Accepts JSON numbers only.
DecimalTime MicrosecondsToNs(std::string_view text);

}  // namespace ridgeline::profiles
