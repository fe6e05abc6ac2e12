#include <gtest/gtest.h>

#include "analysis/testing/gpu_rows.h"
#include "analysis/trace_findings.h"

namespace ridgeline::analysis {
namespace {

using results::DeviceTime;
using results::GpuActivityKind;

TEST(DeviceTimeTest, TellsComputeCommunicationAndCopiesApart) {
  results::TraceRows rows =
      GpuRows({{"gemm", 0, 100, 0, GpuActivityKind::kKernel, 1},
               {"ncclAllReduce", 60, 150, 1, GpuActivityKind::kKernel, 2},
               {"copy", 90, 170, 0, GpuActivityKind::kMemcpy, 3},
               {"deep_ep::dispatch", 200, 220, 1},
               {"fill", 250, 260, 0, GpuActivityKind::kMemset},
               {"gemm", 5, 10, 2}});
  rows.runtime_calls = {{0, 1, 1}, {0, 1, 2}, {0, 1, 3}};
  const std::vector<DeviceTime> times = DeviceTimes(rows, LaunchIndex(rows));
  ASSERT_EQ(times.size(), 2U);
  const DeviceTime& time = times[0];
  EXPECT_EQ(time.activity_count, 5);
  EXPECT_EQ(time.stream_count, 2);
  EXPECT_EQ(time.first_start_ns, 0);
  EXPECT_EQ(time.last_end_ns, 260);
  EXPECT_EQ(time.span_ns, 260);
  EXPECT_EQ(time.busy_ns, 170 + 20 + 10);
  EXPECT_EQ(time.busy_kernels_ns, 150 + 20);
  EXPECT_EQ(time.idle_ns, 60);
  EXPECT_EQ(time.gap_count, 2);
  EXPECT_EQ(time.gap_max_ns, 30);
  EXPECT_EQ(time.compute_ns, 120);
  EXPECT_EQ(time.memory_ns, 90);
  EXPECT_EQ(time.memory_exposed_ns, 20 + 10);
  EXPECT_EQ(time.communication_count, 1);
  EXPECT_EQ(time.communication_ns, 90);
  EXPECT_EQ(time.communication_exposed_ns, 50);
  EXPECT_EQ(time.communication_suspected_count, 1);
  EXPECT_EQ(time.communication_suspected_total_ns, 20);
  EXPECT_EQ(time.launched_inside_count, 3);
  EXPECT_EQ(time.launched_inside_span_ns, 170);
  EXPECT_EQ(time.launched_inside_idle_ns, 0);
  EXPECT_EQ(times[1].busy_ns, 5);
  EXPECT_EQ(times[1].stream_count, 1);
}

TEST(DeviceTimeTest, ActivitiesOfNoTimeSplitNoGap) {
  const results::TraceRows rows = GpuRows({{"a", 0, 10}, {"b", 15, 15}, {"a", 20, 30}});
  const DeviceTime time = DeviceTimes(rows, LaunchIndex(rows))[0];
  EXPECT_EQ(time.activity_count, 3);
  EXPECT_EQ(time.gap_count, 1);
  EXPECT_EQ(time.gap_max_ns, 10);
}

TEST(DeviceTimeTest, ADeviceThatOnlyDidNothingWasNotBusy) {
  const results::TraceRows rows = GpuRows({{"b", 15, 15}});
  const DeviceTime time = DeviceTimes(rows, LaunchIndex(rows))[0];
  EXPECT_EQ(time.first_start_ns, 15);
  EXPECT_EQ(time.span_ns, 0);
  EXPECT_EQ(time.busy_ns, 0);
  EXPECT_EQ(time.idle_ns, 0);
}

TEST(DeviceTimeTest, OneStreamMayBeWrittenInTwoWays) {
  results::TraceRows rows = GpuRows({{"a", 0, 1}});
  rows.tracks = {{0, "7"}, {0, "7"}, {1, "7"}};
  EXPECT_EQ(DeviceTimes(rows, LaunchIndex(rows))[0].stream_count, 1);
}

}  // namespace
}  // namespace ridgeline::analysis
