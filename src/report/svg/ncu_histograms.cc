#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/plural.h"
#include "report/svg/ncu_plots.h"
#include "report/svg/svg_plot.h"

namespace ridgeline::report {
namespace {

using analysis::NcuFindings;
using analysis::NcuKernel;

struct Quantity {
  std::optional<double> NcuKernel::*field;
  std::string_view title;
  Scale scale;
};

constexpr Quantity kQuantities[] = {
    {&NcuKernel::duration_ns, "duration, ns", Scale::kLog10},
    {&NcuKernel::sm_percent, "SM throughput, %", Scale::kLinear},
    {&NcuKernel::memory_percent, "memory throughput, %", Scale::kLinear},
    {&NcuKernel::dram_percent, "DRAM throughput, %", Scale::kLinear},
    {&NcuKernel::l1_percent, "L1 throughput, %", Scale::kLinear},
    {&NcuKernel::l2_percent, "L2 throughput, %", Scale::kLinear},
    {&NcuKernel::l1_hit_percent, "L1 hit rate, %", Scale::kLinear},
    {&NcuKernel::l2_hit_percent, "L2 hit rate, %", Scale::kLinear},
    {&NcuKernel::occupancy_percent, "achieved occupancy, %", Scale::kLinear},
    {&NcuKernel::occupancy_theoretical_percent, "theoretical occupancy, %",
     Scale::kLinear},
    {&NcuKernel::dram_bytes_per_s, "DRAM bandwidth, byte/s", Scale::kLog10},
    {&NcuKernel::waves_per_sm, "waves per SM", Scale::kLog10},
};

constexpr size_t kColumns = 3;
constexpr double kPanelWidth = 290;
constexpr double kPanelHeight = 210;
constexpr double kBins = 10;
constexpr double kHighestPower = 300;  // Close to the limit of double.

std::vector<double> ValuesOf(const NcuFindings& findings, const Quantity& quantity) {
  std::vector<double> values;
  for (const analysis::NcuLaunchFinding& launch : findings.launches) {
    const auto& value = launch.kernel.*quantity.field;
    // A logarithmic axis cannot show zero.
    if (value && (quantity.scale == Scale::kLinear || *value > 0)) {
      values.push_back(*value);
    }
  }
  return values;
}

// Percentages from 0 to 100 (or more), in steps of ten; others in half powers of ten.
std::vector<double> EdgesOf(const Quantity& quantity, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<double> edges;
  if (quantity.scale == Scale::kLinear) {
    constexpr double kStep = 100 / kBins;
    // Values far above 100 % are invalid, and share the last bin.
    const auto bins =
        static_cast<int>(std::clamp(std::ceil(*high / kStep), kBins, 2 * kBins));
    for (int i = 0; i <= bins; ++i) edges.push_back(i * kStep);
    return edges;
  }
  const auto power = [](double value) {
    return static_cast<int>(
        std::clamp(std::floor(std::log10(value)), -kHighestPower, kHighestPower));
  };
  const int first = power(*low);
  const int last = std::max(power(*high) + 1, first + 1);
  for (int half = 2 * first; half <= 2 * last; ++half) {
    edges.push_back(std::pow(10, half / 2.0));
  }
  return edges;
}

std::vector<int64_t> CountsOf(const std::vector<double>& edges,
                              const std::vector<double>& values) {
  std::vector<int64_t> counts(edges.size() - 1);
  for (const double value : values) {
    const auto above = std::upper_bound(edges.begin(), edges.end(), value);
    const auto bin =
        std::clamp<std::ptrdiff_t>(above - edges.begin() - 1, 0, std::ssize(counts) - 1);
    ++counts[static_cast<size_t>(bin)];
  }
  return counts;
}

std::string PanelOf(const Quantity& quantity, const std::vector<double>& values,
                    size_t index) {
  const auto column = static_cast<double>(index % kColumns);
  const size_t row_index = index / kColumns;
  const auto row = static_cast<double>(row_index);
  const std::vector<double> edges = EdgesOf(quantity, values);
  const std::vector<int64_t> counts = CountsOf(edges, values);
  const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  Plot plot({.left = 50 + column * kPanelWidth,
             .top = 30 + row * kPanelHeight,
             .width = kPanelWidth - 70,
             .height = kPanelHeight - 75},
            {std::string(quantity.title), quantity.scale, edges.front(), edges.back()},
            {"", Scale::kLinear, 0, std::max(most * 1.1, 1.0)});
  for (size_t i = 0; i < counts.size(); ++i) {
    plot.AddBar(edges[i], edges[i + 1], static_cast<double>(counts[i]), "#2e86ab");
  }
  plot.AddTitle(Plural(values.size(), "launch"));
  return plot.Svg();
}

}  // namespace

std::string NcuHistograms(const NcuFindings& findings) {
  std::string body;
  size_t panels = 0;
  for (const Quantity& quantity : kQuantities) {
    const std::vector<double> values = ValuesOf(findings, quantity);
    if (values.empty()) continue;
    body += PanelOf(quantity, values, panels++);
  }
  if (panels == 0) return "";
  const size_t rows = (panels + kColumns - 1) / kColumns;
  return SvgDocument(kColumns * kPanelWidth + 20,
                     static_cast<double>(rows) * kPanelHeight + 10, body);
}

}  // namespace ridgeline::report
