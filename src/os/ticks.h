// The cheapest clock there is, for times of events that come by the million: the
// processor's counter where it has a steady one (7 ns a reading), else the system's clock
// (20 to 25 ns).
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

// Since 1970, as other machines know it.
int64_t UnixNs();

// Whether Ticks() reads the processor's counter; it does if that runs at one rate on all
// cores, whatever they do.
bool HasSteadyCounter();

// Turns ticks between two moments into nanoseconds.
class TickClock {
 public:
  // Begins now.
  TickClock();

  int64_t Ticks() const {
#if defined(__x86_64__)
    if (uses_counter_) return static_cast<int64_t>(__rdtsc());
#endif
    return MonotonicNs();
  }

  // Learns the rate from the time since the begin; the longer it is, the better.
  void Calibrate();

  // After Calibrate(): from the begin, and of a duration.
  int64_t SinceBeginNs(int64_t ticks) const { return DurationNs(ticks - begin_.ticks); }
  int64_t DurationNs(int64_t ticks) const {
    return static_cast<int64_t>(static_cast<double>(ticks) * ns_per_tick_ + 0.5);
  }

 private:
  // By both clocks.
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
