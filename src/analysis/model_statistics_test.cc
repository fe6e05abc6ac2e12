#include "analysis/model_statistics.h"

#include <gtest/gtest.h>

namespace ridgeline::analysis {
namespace {

// A Python program makes thousands of calls of one name; summarizing all of them for each
// one would never finish.
TEST(StatisticsOf, HasATrendOfThousandsOfSamplesOfOnePage) {
  std::vector<profiles::ModelSample> samples(5000);
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].image = "M.forward";
    samples[i].times = {{"end_to_end", 1 + 1e-4 * static_cast<double>(i)}};
  }
  const auto statistics = StatisticsOf(samples);
  ASSERT_EQ(statistics.size(), 1u);
  EXPECT_EQ(statistics[0].summary.count, 5000u);
  ASSERT_TRUE(statistics[0].drift.has_value());
  EXPECT_NEAR(statistics[0].drift->change, 0.4, 0.01);
}

// Pages of different length are not a trend.
TEST(StatisticsOf, ComparesSamplesOnlyWithOthersOfTheirPage) {
  std::vector<profiles::ModelSample> samples;
  for (const char* page : {"a.png", "b.png"}) {
    for (int i = 0; i < 8; ++i) {
      const double seconds = page[0] == 'a' ? 1 : 5;
      samples.push_back(
          {.image = page, .times = {{"end_to_end", seconds * (i % 2 == 0 ? 1 : 1.01)}}});
    }
  }
  EXPECT_FALSE(StatisticsOf(samples)[0].drift.has_value());
}

}  // namespace
}  // namespace ridgeline::analysis
