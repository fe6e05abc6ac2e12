#include "model_io/datasets/sample_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace ridgeline::datasets {
namespace {

using ::testing::ElementsAre;

// The pages of each epoch; checks that epochs and samples count from 0.
std::vector<std::vector<size_t>> Pages(const std::vector<SamplePlan>& plan) {
  std::vector<std::vector<size_t>> epochs;
  for (const SamplePlan& sample : plan) {
    if (sample.sample == 0) epochs.emplace_back();
    EXPECT_EQ(sample.epoch, static_cast<int64_t>(epochs.size()) - 1);
    EXPECT_EQ(sample.sample, static_cast<int64_t>(epochs.back().size()));
    epochs.back().push_back(sample.page);
  }
  return epochs;
}

TEST(SamplePlanTest, TakesTheFirstPagesInOrder) {
  struct Case {
    const char* what;
    size_t page_count;
    int64_t num_epochs;
    std::optional<int64_t> num_samples_per_epoch;
    std::vector<std::vector<size_t>> want;
  };
  const Case cases[] = {
      {"all", 3, 1, std::nullopt, {{0, 1, 2}}},
      {"twice", 2, 2, std::nullopt, {{0, 1}, {0, 1}}},
      {"some", 3, 2, 2, {{0, 1}, {0, 1}}},
      {"as many as there are", 3, 1, 3, {{0, 1, 2}}},
      {"more than there are", 3, 1, 1'000'000'000'000, {{0, 1, 2}}},
      {"none there", 0, 2, std::nullopt, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const DatasetOptions options = {.num_epochs = c.num_epochs,
                                    .num_samples_per_epoch = c.num_samples_per_epoch};
    EXPECT_EQ(Pages(PlanSamples(c.page_count, options, 7)), c.want);
    EXPECT_EQ(Pages(PlanSamples(c.page_count, options, 8)), c.want);
  }
}

TEST(SamplePlanTest, ShufflesTheSameWayOnEveryMachine) {
  const DatasetOptions options = {.num_epochs = 2, .randomize = true};
  EXPECT_THAT(Pages(PlanSamples(10, options, 7)),
              ElementsAre(ElementsAre(7, 6, 9, 2, 8, 4, 0, 3, 5, 1),
                          ElementsAre(3, 0, 4, 2, 7, 5, 8, 1, 9, 6)));
}

TEST(SamplePlanTest, ShufflesAllPagesBeforeItTakesSome) {
  DatasetOptions options = {.num_epochs = 3, .randomize = true};
  const std::vector<std::vector<size_t>> all = Pages(PlanSamples(100, options, 7));
  options.num_samples_per_epoch = 10;
  const std::vector<std::vector<size_t>> some = Pages(PlanSamples(100, options, 7));
  ASSERT_EQ(all.size(), 3U);
  ASSERT_EQ(some.size(), 3U);
  for (size_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(std::set<size_t>(all[epoch].begin(), all[epoch].end()).size(), 100U);
    EXPECT_EQ(some[epoch],
              std::vector<size_t>(all[epoch].begin(), all[epoch].begin() + 10));
  }
  EXPECT_NE(all[0], all[1]);
  EXPECT_NE(all[1], all[2]);
  EXPECT_NE(Pages(PlanSamples(100, options, 8)), some);
}

TEST(SamplePlanTest, GivesEachOrderItsShare) {
  std::map<std::vector<size_t>, int> counts;
  const DatasetOptions options = {.num_epochs = 24'000, .randomize = true};
  for (const std::vector<size_t>& order : Pages(PlanSamples(4, options, 1))) {
    ++counts[order];
  }
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(SamplePlanTest, TakesTheGivenSeedOrANewOne) {
  EXPECT_EQ(ChooseSeed({.seed = 0}), 0U);
  EXPECT_EQ(ChooseSeed({.seed = ~uint64_t{0}}), ~uint64_t{0});
  std::set<uint64_t> seeds;
  for (int i = 0; i < 10; ++i) seeds.insert(ChooseSeed({}));
  EXPECT_GT(seeds.size(), 1U);
  EXPECT_LT(*seeds.rbegin(), uint64_t{1} << 32);
}

}  // namespace
}  // namespace ridgeline::datasets
