#include "os/ticks.h"

#include <gtest/gtest.h>

#include <thread>

namespace ridgeline::os {
namespace {

TEST(TickClock, AgreesWithTheSystemsClock) {
  TickClock clock;
  const int64_t begin_ns = MonotonicNs();
  const int64_t begin = clock.Ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int64_t end = clock.Ticks();
  const int64_t ns = MonotonicNs() - begin_ns;
  clock.Calibrate();
  // The system's clock is read before and after, and so is never shorter.
  EXPECT_LE(clock.DurationNs(end - begin), ns + ns / 1000);
  EXPECT_GE(clock.DurationNs(end - begin), 20'000'000 - 20'000);
  EXPECT_GE(clock.SinceBeginNs(begin), 0);
}

}  // namespace
}  // namespace ridgeline::os
