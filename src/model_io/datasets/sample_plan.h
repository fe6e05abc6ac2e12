// Order in which pages are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model_io/datasets/dataset_options.h"

namespace ridgeline::datasets {

struct SamplePlan {
  int64_t epoch = 0;   // From 0.
  int64_t sample = 0;  // From 0 in each epoch.
  size_t page = 0;     // Index into the pages.

  bool operator==(const SamplePlan&) const = default;
};

// The seed from the options, or a new one below 2^32, to be recorded with the run.
uint64_t ChooseSeed(const DatasetOptions& options);

// All samples of all epochs, in order. Each epoch takes the first num_samples_per_epoch
// pages, or all if there are fewer; no duplicates. Randomizing shuffles all pages before
// each epoch; the order depends only on `seed`, the epoch and the number of pages and is
// the same on every machine. Otherwise `seed` is ignored.
std::vector<SamplePlan> PlanSamples(size_t page_count, const DatasetOptions& options,
                                    uint64_t seed);

}  // namespace ridgeline::datasets
