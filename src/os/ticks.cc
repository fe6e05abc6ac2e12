#include "os/ticks.h"

#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ridgeline::os {

bool HasSteadyCounter() {
#if defined(__x86_64__)
  // Leaf 0x80000007, EDX bit 8: "invariant TSC".
  constexpr unsigned kPowerLeaf = 0x80000007;
  constexpr unsigned kInvariant = 1U << 8;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
#else
  return false;
#endif
}

int64_t UnixNs() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

TickClock::TickClock() : uses_counter_(HasSteadyCounter()), begin_(Now()) {}

TickClock::Moment TickClock::Now() const {
  // Between two readings the process may be preempted for milliseconds; the shortest of
  // several attempts was not.
  constexpr int kTries = 16;
  constexpr int64_t kShortNs = 150;
  Moment best;
  int64_t best_ns = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < kTries && best_ns > kShortNs; ++i) {
    const int64_t before = MonotonicNs();
    const int64_t ticks = Ticks();
    const int64_t took_ns = MonotonicNs() - before;
    if (took_ns >= best_ns) continue;
    best_ns = took_ns;
    best = {.ns = before + took_ns / 2, .ticks = ticks};
  }
  return best;
}

void TickClock::Calibrate() {
  if (!uses_counter_) return;
  const Moment now = Now();
  const int64_t ns = now.ns - begin_.ns;
  const int64_t ticks = now.ticks - begin_.ticks;
  if (ns > 0 && ticks > 0) {
    ns_per_tick_ = static_cast<double>(ns) / static_cast<double>(ticks);
  }
}

}  // namespace ridgeline::os
