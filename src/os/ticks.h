// The cheapest available clock, for timestamps of millions of events: the CPU's cycle
// counter if it is steady (7 ns per reading), else the system clock (20 to 25 ns).
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridgeline::os {

// CLOCK_MONOTONIC.
inline int64_t MonotonicNs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Since 1970; comparable across machines.
int64_t UnixNs();

// Whether Ticks() reads the CPU's counter; it does if that runs at a constant rate on all
// cores, whatever their load.
bool HasSteadyCounter();

// Converts tick differences to nanoseconds.
class TickClock {
 public:
  // Starts now.
  TickClock();

  int64_t Ticks() const {
#if defined(__x86_64__)
    if (uses_counter_) return static_cast<int64_t>(__rdtsc());
#endif
    return MonotonicNs();
  }

  // Calibrates the rate from the time since the start; the longer, the more accurate.
  void Calibrate();

  // After Calibrate(): since the start, and for a duration.
  int64_t SinceBeginNs(int64_t ticks) const { return DurationNs(ticks - begin_.ticks); }
  int64_t DurationNs(int64_t ticks) const {
    return static_cast<int64_t>(static_cast<double>(ticks) * ns_per_tick_ + 0.5);
  }

 private:
  // In both clocks.
  struct Moment {
    int64_t ns = 0;
    int64_t ticks = 0;
  };
  Moment Now() const;

  bool uses_counter_;
  Moment begin_;
  double ns_per_tick_ = 1;
};

}  // namespace ridgeline::os
