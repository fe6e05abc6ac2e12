// Hydra's basic sweeper: the cartesian product of all sweeps on the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/error.h"
#include "config/overrides/override.h"
#include "config/overrides/override_parser.h"
#include "config/overrides/sweep_iterator.h"

namespace ridgeline::config {

using JobOverrides = std::vector<std::string>;  // One job: {"a=1", "db=my"}.
using JobBatch = std::vector<JobOverrides>;

// More jobs than this are rejected (ErrorKind::kLimit).
constexpr size_t kSweepMaxJobs = 100'000;

struct BasicSweep {
  // hydra.sweeper.params, in order, resolved: {"a", "1,2"}.
  std::vector<std::pair<std::string, std::string>> params;
  std::optional<Integer> max_batch_size;  // hydra.sweeper.max_batch_size.
  GroupOptions group_options;             // For glob(); optional without it.
  uint32_t shuffle_seed = kDefaultShuffleSeed;
};

// The jobs in batches; the last override varies fastest. Repeated keys count once: at the
// position of the first, with the value of the last. An empty sweep yields no jobs: one
// empty batch, or none if batches are limited.
Result<std::vector<JobBatch>> ExpandSweepJobs(const BasicSweep& sweep,
                                              std::span<const std::string> overrides);

}  // namespace ridgeline::config
