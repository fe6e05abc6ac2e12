// Rows of GPU activities, for tests.
#pragma once

#include <string>
#include <vector>

#include "results/trace_rows.h"

namespace ridgeline::analysis {

struct TestActivity {
  const char* name;
  int64_t start_ns;
  int64_t end_ns;
  uint32_t track = 0;
  results::GpuActivityKind kind = results::GpuActivityKind::kKernel;
  int64_t correlation = results::kNoCorrelation;
};

// Tracks 0 and 1 are streams of the device "0", track 2 is one of the device "1".
inline results::TraceRows GpuRows(const std::vector<TestActivity>& activities) {
  results::TraceRows rows;
  rows.devices = {"0", "1"};
  rows.tracks = {{0, "7"}, {0, "20"}, {1, "7"}};
  for (const TestActivity& test : activities) {
    results::GpuActivity activity;
    activity.start_ns = test.start_ns;
    activity.duration_ns = test.end_ns - test.start_ns;
    activity.correlation = test.correlation;
    activity.name = rows.names.Intern(test.name);
    activity.track = test.track & results::kMaxTrack;
    activity.kind = test.kind;
    rows.gpu_activities.push_back(activity);
  }
  return rows;
}

}  // namespace ridgeline::analysis
