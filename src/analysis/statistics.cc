#include "analysis/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace ridgeline::analysis {
namespace {

constexpr size_t kResamples = 2000;
constexpr uint64_t kSeed = 0;

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double Quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::optional<double> Deviation(std::span<const double> values, double mean) {
  if (values.size() < 2) return std::nullopt;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<ConfidenceInterval> MeanInterval(std::span<const double> values) {
  if (values.size() < kMinForInterval) return std::nullopt;
  std::vector<double> means(kResamples);
  uint64_t draw = 0;
  for (double& mean : means) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      sum += values[SplitMix64At(kSeed, draw++) % values.size()];
    }
    mean = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  return ConfidenceInterval{Quantile(means, 0.025), Quantile(means, 0.975)};
}

// Number of pairs whose later value is larger minus those whose later value is smaller.
double KendallSum(std::span<const double> values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i + 1; j < values.size(); ++j) {
      sum += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    }
  }
  return sum;
}

double MedianSlope(std::span<const double> values) {
  std::vector<double> slopes;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i + 1; j < values.size(); ++j) {
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
    }
  }
  std::sort(slopes.begin(), slopes.end());
  return Quantile(slopes, 0.5);
}

// The test compares all pairs, so thousands of values are thinned to evenly spaced ones.
std::vector<double> Thinned(std::span<const double> values) {
  constexpr size_t kMaxValues = 500;
  if (values.size() <= kMaxValues) return {values.begin(), values.end()};
  std::vector<double> thinned;
  for (size_t i = 0; i < kMaxValues; ++i) {
    thinned.push_back(values[i * (values.size() - 1) / (kMaxValues - 1)]);
  }
  return thinned;
}

}  // namespace

Summary Summarize(std::span<const double> values) {
  assert(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Summary summary;
  summary.count = values.size();
  summary.mean = Mean(values);
  summary.deviation = Deviation(values, summary.mean);
  summary.median = Quantile(sorted, 0.5);
  summary.p90 = Quantile(sorted, 0.9);
  summary.p99 = Quantile(sorted, 0.99);
  summary.min = sorted.front();
  summary.max = sorted.back();
  summary.mean_interval = MeanInterval(values);
  return summary;
}

std::optional<Drift> FindDrift(std::span<const double> values) {
  if (values.size() < kMinForDrift) return std::nullopt;
  const std::vector<double> thinned = Thinned(values);
  const auto n = static_cast<double>(thinned.size());
  const double sum = KendallSum(thinned);
  if (sum == 0) return std::nullopt;
  const double z =
      (sum - std::copysign(1.0, sum)) / std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  const double median = Summarize(thinned).median;
  if (std::abs(z) < kDriftZ || !(median > 0)) return std::nullopt;
  const double change = MedianSlope(thinned) * (n - 1) / median;
  if (std::abs(change) < kDriftChange) return std::nullopt;
  return Drift{change, z};
}

}  // namespace ridgeline::analysis
