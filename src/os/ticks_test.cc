#include "os/ticks.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  // The system clock is read before and after, so its duration is never shorter.
  EXPECT_LE(clock.DurationNs(end - begin), ns + ns / 1000);
  EXPECT_GE(clock.DurationNs(end - begin), 20'000'000 - 20'000);
  EXPECT_GE(clock.SinceBeginNs(begin), 0);
}

// Also on an oversubscribed machine.
TEST(TickClock, KnowsItsRateWhereverItIsInterrupted) {
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> others;
  for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); ++i) {
    others.emplace_back([&] {
      while (!is_over) {
      }
    });
  }
  std::vector<double> errors;  // 0: between the inner and the outer duration.
  for (int i = 0; i < 21; ++i) {
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
    const auto ns = static_cast<double>(clock.DurationNs(end - begin));
    errors.push_back(std::max({0.0, static_cast<double>(inner_ns) / ns - 1,
                               ns / static_cast<double>(outer_ns) - 1}));
  }
  is_over = true;
  // The median: a calibration whose readings were all interrupted may be off.
  std::nth_element(errors.begin(), errors.begin() + 10, errors.end());
  EXPECT_LT(errors[10], 0.002);
}

}  // namespace
}  // namespace ridgeline::os
