#include "os/ticks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

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

// On a machine with more to do than it has cores, too.
TEST(TickClock, KnowsItsRateWhereverItIsInterrupted) {
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); ++i) {
    others.emplace_back([&] {
      while (!is_over) {
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    TickClock clock;
    const int64_t outer_begin_ns = MonotonicNs();
    const int64_t begin = clock.Ticks();
    const int64_t inner_begin_ns = MonotonicNs();
    while (MonotonicNs() - inner_begin_ns < 5'000'000) {
    }
    const int64_t inner_ns = MonotonicNs() - inner_begin_ns;
    const int64_t end = clock.Ticks();
    const int64_t outer_ns = MonotonicNs() - outer_begin_ns;
    clock.Calibrate();
    EXPECT_GE(clock.DurationNs(end - begin), inner_ns - inner_ns / 500);
    EXPECT_LE(clock.DurationNs(end - begin), outer_ns + outer_ns / 500);
  }
  is_over = true;
}

}  // namespace
}  // namespace ridgeline::os
