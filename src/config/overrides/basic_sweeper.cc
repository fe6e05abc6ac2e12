#include "config/overrides/basic_sweeper.h"

#include <algorithm>
#include <random>
#include <string_view>
#include <unordered_map>

namespace ridgeline::config {
namespace {

Result<std::vector<Override>> ParseAll(const BasicSweep& sweep,
                                       std::span<const std::string> overrides) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : sweep.params) lines.push_back(key + "=" + value);
  lines.insert(lines.end(), overrides.begin(), overrides.end());
  return ParseOverrides(lines, sweep.shuffle_seed);
}

Result<std::vector<std::string>> Values(const Override& override,
                                        const GroupOptions& group_options,
                                        std::mt19937& random, size_t limit) {
  if (override.IsDiscreteSweep()) {
    return ExpandSweep(override, group_options, random, limit);
  }
  if (override.IsSweep()) {
    return Error(ErrorKind::kHydra, "BasicSweeper does not support sweep type : " +
                                        std::string(ValueTypeName(*override.value_type)));
  }
  RIDGELINE_TRY(std::string value, override.ValueElementAsString());
  return std::vector<std::string>{std::move(value)};
}

// For each key, all its "key=value" alternatives.
Result<std::vector<std::vector<std::string>>> Alternatives(
    const BasicSweep& sweep, std::span<const Override> overrides) {
  std::mt19937 random(sweep.shuffle_seed);
  std::vector<std::vector<std::string>> alternatives;
  std::unordered_map<std::string, size_t> place_of_key;
  size_t held = 0;  // The limit applies to all sweeps combined.
  for (const Override& override : overrides) {
    const std::string key = override.KeyElement();
    RIDGELINE_TRY(std::vector<std::string> values,
                  Values(override, sweep.group_options, random,
                         kSweepMaxValues - std::min(held, kSweepMaxValues)));
    held += values.size();
    for (std::string& value : values) value.insert(0, key + "=");
    const auto [place, is_new] = place_of_key.emplace(key, alternatives.size());
    if (is_new) alternatives.emplace_back();
    alternatives[place->second] = std::move(values);
  }
  return alternatives;
}

Result<size_t> CountJobs(const std::vector<std::vector<std::string>>& alternatives) {
  const bool none =
      std::any_of(alternatives.begin(), alternatives.end(),
                  [](const std::vector<std::string>& values) { return values.empty(); });
  if (none) return size_t{0};
  size_t jobs = 1;
  for (const std::vector<std::string>& values : alternatives) {
    if (jobs > kSweepMaxJobs / values.size()) {
      return Error(ErrorKind::kLimit,
                   "The sweep has more than " + std::to_string(kSweepMaxJobs) + " jobs");
    }
    jobs *= values.size();
  }
  return jobs;
}

// The job at `index` of the product; the last factor varies fastest.
JobOverrides JobAt(const std::vector<std::vector<std::string>>& alternatives,
                   size_t index) {
  JobOverrides job(alternatives.size());
  for (size_t i = alternatives.size(); i-- > 0;) {
    job[i] = alternatives[i][index % alternatives[i].size()];
    index /= alternatives[i].size();
  }
  return job;
}

}  // namespace

Result<std::vector<JobBatch>> ExpandSweepJobs(const BasicSweep& sweep,
                                              std::span<const std::string> overrides) {
  RIDGELINE_TRY(const std::vector<Override> parsed, ParseAll(sweep, overrides));
  RIDGELINE_TRY(const auto alternatives, Alternatives(sweep, parsed));
  RIDGELINE_TRY(const size_t jobs, CountJobs(alternatives));
  const std::optional<Integer>& limit = sweep.max_batch_size;
  // A bare assertion in Hydra, without a message.
  if (limit && Integer::Compare(*limit, Integer(1)) < 0) {
    return Error(ErrorKind::kAssertion, "");
  }
  std::vector<JobBatch> batches;
  if (!limit) batches.emplace_back();
  const bool limited = limit && limit->fits_int64();
  for (size_t i = 0; i < jobs; ++i) {
    const bool full =
        batches.empty() ||
        (limited && batches.back().size() == static_cast<size_t>(limit->AsInt64()));
    if (full) batches.emplace_back();
    batches.back().push_back(JobAt(alternatives, i));
  }
  return batches;
}

}  // namespace ridgeline::config
