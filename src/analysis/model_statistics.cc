#include "analysis/model_statistics.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

using profiles::ModelSample;
using profiles::PhaseSeconds;

// Values of one name in measurement order, and the page of each.
struct Series {
  std::string name;
  std::vector<double> values;
  std::vector<std::string_view> pages;
};

// For whole pages and for each phase. Throughput is total tokens over total time, not the
// mean of per-sample rates.
std::vector<Series> SeriesOf(std::span<const ModelSample> samples) {
  std::vector<Series> all;
  const auto add = [&all](const std::string& name, double value,
                          const ModelSample& sample) {
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.name == name; });
    if (found == all.end()) found = all.insert(all.end(), {name, {}, {}});
    found->values.push_back(value);
    found->pages.push_back(sample.image);
  };
  for (const ModelSample& sample : samples) {
    for (const PhaseSeconds& time : sample.times) {
      add(time.phase + "_s", time.seconds, sample);
    }
  }
  return all;
}

// Same as in Summarize(), without the bootstrap. Reorders `values`, which must not be
// empty.
double MedianOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

// Divides each value by the median of its page, so that differences between pages do not
// look like a trend.
std::vector<double> WithoutPages(const Series& series) {
  std::map<std::string_view, std::vector<double>> by_page;
  for (size_t i = 0; i < series.values.size(); ++i) {
    by_page[series.pages[i]].push_back(series.values[i]);
  }
  // Once per page: a Python program may make a hundred thousand calls of one name.
  std::map<std::string_view, double> medians;
  for (auto& [page, values] : by_page) {
    if (values.size() > 1) medians[page] = MedianOf(values);
  }
  std::vector<double> relative;
  for (size_t i = 0; i < series.values.size(); ++i) {
    const auto median = medians.find(series.pages[i]);
    if (median == medians.end() || !(median->second > 0)) continue;
    relative.push_back(series.values[i] / median->second);
  }
  return relative;
}

}  // namespace

std::vector<profiles::MeasuredQuantity> StatisticsOf(
    std::span<const ModelSample> samples) {
  std::vector<profiles::MeasuredQuantity> quantities;
  for (const Series& series : SeriesOf(samples)) {
    quantities.push_back({.name = series.name,
                          .summary = Summarize(series.values),
                          .drift = FindDrift(WithoutPages(series))});
  }
  return quantities;
}

}  // namespace ridgeline::analysis
