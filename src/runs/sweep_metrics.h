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
  std::map<std::string, report::SweepMeasurement> measured;  // By metric id.
};

// "end_to_end_s", "decode_tokens_per_s", "ttft_s", "peak_rss_bytes", "mfu", ... if
// available, and the values at `pointers` ("/kernels_total/total_s"). Times are from
// unprofiled passes: means with their 95 % CI.
Result<JobMetrics> ReadJobMetrics(std::string_view json,
                                  const std::vector<std::string>& pointers);

// Heading, unit and direction (whether lower is better) of a metric. For a JSON pointer
// they follow from the suffix of its last key.
report::SweepMetric DescribeMetric(const std::string& id);

// The default metrics to compare: the usual ones that any job has.
std::vector<std::string> DefaultMetrics(const std::vector<JobMetrics>& jobs);

}  // namespace ridgeline::runs
