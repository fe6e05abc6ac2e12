#include "os/ticks.h"

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

TickClock::TickClock()
    : uses_counter_(HasSteadyCounter()),
      begin_ns_(MonotonicNs()),
      begin_ticks_(Ticks()) {}

void TickClock::Calibrate() {
  if (!uses_counter_) return;
  const int64_t ns = MonotonicNs() - begin_ns_;
  const int64_t ticks = Ticks() - begin_ticks_;
  if (ns > 0 && ticks > 0) {
    ns_per_tick_ = static_cast<double>(ns) / static_cast<double>(ticks);
  }
}

}  // namespace ridgeline::os
