// Metrics of a run that a sweep can compare, by name, from its metrics.json.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/sweep/sweep_report.h"

namespace ridgeline::runs {

// metrics.json of one job.
struct JobMetrics {
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  std::map<std::string, report::SweepMeasurement> measured;  // By the id of the metric.
};

// "end_to_end_s", "decode_tokens_per_s", "ttft_s", "peak_rss_bytes", "mfu", ... as far as
// the run has them, and the values at `pointers` ("/kernels_total/total_s"). Times are of
// unprofiled passes: means with their 95 % CI.
Result<JobMetrics> ReadJobMetrics(std::string_view json,
                                  const std::vector<std::string>& pointers);

// A metric of that name: heading, unit, and whether lower is better. Of a JSON pointer
// they follow from the end of its last key.
report::SweepMetric DescribeMetric(const std::string& id);

// Those to compare by default: of the usual ones, those that any job has.
std::vector<std::string> DefaultMetrics(const std::vector<JobMetrics>& jobs);

}  // namespace ridgeline::runs
