#include <fmt/format.h>

#include <algorithm>

#include "estimates/scaled.h"
#include "report/advice/rules.h"
#include "report/printers/markdown.h"

namespace ridgeline::report {
namespace {

// Below this, p99 is the maximum.
constexpr double kLeastInstances = 100;

// Decode steps get slower as the context grows, but not by 2x.
constexpr double kMuchLonger = 2;

// Share of a region's time that its slow instances take above the median.
constexpr double kMuchBeyond = 0.05;

constexpr size_t kMostUnevenRegions = 2;

std::optional<Finding> Uneven(const Row& region) {
  const Row instance = region.At("instance");
  const auto count = region.Number("instances");
  const auto median = instance.Number("median_s");
  const auto p99 = instance.Number("p99_s");
  const auto total =
      region.Number(instance.Text("clock") == "gpu" ? "gpu_span_s" : "cpu_s");
  const std::optional<double> factor = ShareOf(p99, median);
  if (!count || count->value < kLeastInstances || !total) return std::nullopt;
  if (!factor || *factor < kMuchLonger || region.Text("path") == "warmup") {
    return std::nullopt;
  }
  const double beyond_s = total->value - count->value * median->value;
  if (beyond_s < kMuchBeyond * total->value) return std::nullopt;
  const std::string path = Quoted(region.Text("path"));
  return Finding{
      .text = fmt::format("{}: long tail, p99 = {}x median ({} vs {}, n={:.0f})", path,
                          estimates::Ratio(*factor), estimates::Seconds(p99->value),
                          estimates::Seconds(median->value), count->value),
      .attempt = fmt::format(
          "Compare slow instances of {} with typical ones in the timeline: allocator "
          "churn, synchronization, recompilation, other shapes, noisy neighbours",
          path),
      .gain_s = GainOf(beyond_s),
      .evidence = {p99->pointer, median->pointer, count->pointer, total->pointer}};
}

}  // namespace

Findings UnevenRegions(const Row& report) {
  Findings found;
  for (const Row& region : MajorRows(report.List("regions"))) {
    if (auto uneven = Uneven(region)) found.push_back(std::move(*uneven));
  }
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    return a.gain_s.value_or(0) > b.gain_s.value_or(0);
  });
  if (found.size() > kMostUnevenRegions)
    found.erase(found.begin() + kMostUnevenRegions, found.end());
  return found;
}

}  // namespace ridgeline::report
