#include "model_io/datasets/sample_plan.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <random>
#include <utility>

#include "base/random.h"

namespace ridgeline::datasets {
namespace {

// Random numbers of one epoch. Unlike the distributions of <random> and std::shuffle,
// they are the same with every standard library.
class Dice {
 public:
  Dice(uint64_t seed, int64_t epoch)
      : key_(SplitMix64At(seed, static_cast<uint64_t>(epoch))) {}

  // Uniform in 0 to count - 1: rejects numbers of the incomplete interval.
  uint64_t Below(uint64_t count) {
    assert(count > 0);
    const uint64_t incomplete = (0 - count) % count;  // 2^64 modulo count.
    while (true) {
      const uint64_t number = SplitMix64At(key_, next_++);
      if (number >= incomplete) return number % count;
    }
  }

 private:
  uint64_t key_;
  uint64_t next_ = 0;
};

// Fisher-Yates shuffle, from the end.
void Shuffle(std::vector<size_t>& pages, Dice dice) {
  for (size_t left = pages.size(); left > 1; --left) {
    std::swap(pages[left - 1], pages[dice.Below(left)]);
  }
}

}  // namespace

uint64_t ChooseSeed(const DatasetOptions& options) {
  if (options.seed) return *options.seed;
  return std::random_device()();  // 32 bits: short enough to be typed again.
}

std::vector<SamplePlan> PlanSamples(size_t page_count, const DatasetOptions& options,
                                    uint64_t seed) {
  assert(options.num_epochs >= 1);
  assert(options.num_samples_per_epoch.value_or(1) >= 1);
  size_t sample_count = page_count;
  if (options.num_samples_per_epoch) {
    sample_count = static_cast<size_t>(std::min<uint64_t>(
        page_count, static_cast<uint64_t>(*options.num_samples_per_epoch)));
  }
  std::vector<SamplePlan> plan;
  std::vector<size_t> pages(page_count);
  for (int64_t epoch = 0; epoch < options.num_epochs; ++epoch) {
    // Back in order, so that an epoch does not depend on earlier ones.
    std::iota(pages.begin(), pages.end(), size_t{0});
    if (options.randomize) Shuffle(pages, Dice(seed, epoch));
    for (size_t i = 0; i < sample_count; ++i) {
      plan.push_back(
          {.epoch = epoch, .sample = static_cast<int64_t>(i), .page = pages[i]});
    }
  }
  return plan;
}

}  // namespace ridgeline::datasets
