#include "analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace ridgeline::analysis {
namespace {

// Uniform in 0..1.
double Noise(uint64_t i) {
  return static_cast<double>(SplitMix64At(7, i) >> 11) * 0x1p-53;
}

TEST(Summarize, AgreesWithNumpy) {
  const std::vector<double> values = {4, 1, 3, 2};
  const Summary summary = Summarize(values);
  EXPECT_EQ(summary.count, 4);
  EXPECT_DOUBLE_EQ(summary.mean, 2.5);
  EXPECT_DOUBLE_EQ(*summary.deviation, 1.2909944487358056);  // ddof=1
  EXPECT_DOUBLE_EQ(summary.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.p90, 3.7);
  EXPECT_DOUBLE_EQ(summary.p99, 3.97);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.max, 4);
}

TEST(Summarize, SaysNoMoreThanItsValuesDo) {
  const Summary one = Summarize(std::vector<double>{2});
  EXPECT_EQ(one.mean, 2);
  EXPECT_EQ(one.p99, 2);
  EXPECT_FALSE(one.deviation);
  EXPECT_FALSE(one.mean_interval);
  const Summary two = Summarize(std::vector<double>{2, 4});
  EXPECT_TRUE(two.deviation);
  EXPECT_FALSE(two.mean_interval);
}

TEST(Summarize, IntervalsHoldTheMeanAndRepeatThemselves) {
  // In about 95 of 100 samples the interval contains the true mean; with 20 values the
  // percentile bootstrap covers slightly less.
  int held = 0;
  constexpr int kSamples = 200;
  for (uint64_t sample = 0; sample < kSamples; ++sample) {
    std::vector<double> values;
    for (uint64_t i = 0; i < 20; ++i) values.push_back(Noise(sample * 100 + i));
    const ConfidenceInterval interval = *Summarize(values).mean_interval;
    EXPECT_LE(interval.low, interval.high);
    if (interval.low <= 0.5 && 0.5 <= interval.high) ++held;
    EXPECT_EQ(Summarize(values).mean_interval->low, interval.low);
  }
  EXPECT_GE(held, 0.88 * kSamples);
  EXPECT_LE(held, 0.99 * kSamples);
}

TEST(FindDrift, SeesTrendsAndNoOthers) {
  struct Case {
    const char* what;
    size_t count;
    double slope;  // As a fraction of the whole.
    double noise;
    bool drifts;
  };
  const Case cases[] = {
      {"steady", 40, 0, 0.05, false},
      {"slower and slower", 40, 0.2, 0.02, true},
      {"faster and faster", 40, -0.2, 0.02, true},
      {"too small to matter", 40, 0.005, 0.001, false},
      {"too few to tell", 7, 0.5, 0, false},
      {"all the same", 20, 0, 0, false},
      {"thousands", 5000, 0.1, 0.02, true},
      {"lost in noise", 10, 0.05, 0.5, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    std::vector<double> values;
    for (size_t i = 0; i < c.count; ++i) {
      values.push_back(1 +
                       c.slope * static_cast<double>(i) / static_cast<double>(c.count) +
                       c.noise * (Noise(i) - 0.5));
    }
    const std::optional<Drift> drift = FindDrift(values);
    ASSERT_EQ(drift.has_value(), c.drifts);
    if (drift) {
      EXPECT_NEAR(drift->change, c.slope, 0.05);
    }
  }
}

}  // namespace
}  // namespace ridgeline::analysis
