#include "analysis/launch_delay.h"

#include <gtest/gtest.h>

#include "analysis/testing/gpu_rows.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;

// Kernels launched before the trace began have no runtime call.
TEST(LaunchDelayTest, MatchesKernelsWithTheirCallsAndCountsTheRest) {
  results::TraceRows rows = GpuRows({{"a", 100, 110, 0, GpuActivityKind::kKernel, 3},
                                     {"a", 40, 50, 0, GpuActivityKind::kKernel, 1},
                                     {"a", 5, 6, 0, GpuActivityKind::kKernel, 99},
                                     {"a", 7, 8, 0, GpuActivityKind::kKernel},
                                     {"c", 7, 8, 0, GpuActivityKind::kMemcpy, 98},
                                     {"a", 15, 20, 0, GpuActivityKind::kKernel, 2}});
  rows.runtime_calls = {{20, 5, 1}, {16, 1, 2}, {50, 60, 3}};
  const LaunchDelays delays = LaunchDelaysOf(rows, LaunchIndex(rows));
  EXPECT_EQ(delays.runtime_calls_with_correlation, 3);
  EXPECT_EQ(delays.duplicate_correlations, 0);
  EXPECT_EQ(delays.kernels_matched, 3);
  EXPECT_EQ(delays.kernels_unmatched, 2);
  ASSERT_TRUE(delays.start_to_start && delays.end_to_start);
  // Starting before its own call means a different clock.
  EXPECT_EQ(delays.negative_start_to_start, 1);
  EXPECT_EQ(delays.start_to_start->total_ns, 50 + 20);
  EXPECT_EQ(delays.start_to_start->count, 2);
  EXPECT_EQ(delays.end_to_start->total_ns, -10 + 15);
}

TEST(LaunchDelayTest, OfEqualCorrelationsTheLastCounts) {
  results::TraceRows rows = GpuRows({{"a", 100, 110, 0, GpuActivityKind::kKernel, 3}});
  rows.runtime_calls = {{10, 1, 3}, {5, 1, 2}, {20, 1, 3}};
  const LaunchDelays delays = LaunchDelaysOf(rows, LaunchIndex(rows));
  EXPECT_EQ(delays.duplicate_correlations, 1);
  EXPECT_EQ(delays.start_to_start->total_ns, 80);
}

// Kernels of a graph follow each other: its launch latency is that of the first.
TEST(LaunchDelayTest, OfAGraphTheFirstKernelCounts) {
  results::TraceRows rows = GpuRows({{"b", 900, 950, 0, GpuActivityKind::kKernel, 1},
                                     {"a", 40, 50, 0, GpuActivityKind::kKernel, 1},
                                     {"c", 5000, 5010, 0, GpuActivityKind::kKernel, 1},
                                     {"d", 130, 140, 0, GpuActivityKind::kKernel, 2}});
  rows.runtime_calls = {{20, 5, 1}, {100, 1, 2}};
  const LaunchDelays delays = LaunchDelaysOf(rows, LaunchIndex(rows));
  ASSERT_TRUE(delays.call_start_to_start && delays.call_end_to_start);
  EXPECT_EQ(delays.call_start_to_start->count, 2);
  EXPECT_EQ(delays.call_start_to_start->median_ns, 25);
  EXPECT_EQ(delays.call_end_to_start->total_ns, 15 + 29);
  EXPECT_EQ(delays.start_to_start->count, 4);
}

TEST(LaunchDelayTest, HasNoDelaysWithoutKernels) {
  const LaunchDelays delays = LaunchDelaysOf({}, LaunchIndex(results::TraceRows()));
  EXPECT_FALSE(delays.start_to_start);
  EXPECT_FALSE(delays.end_to_start);
}

}  // namespace
}  // namespace ridgeline::analysis
