// Compares trace findings with slow reference implementations on random rows.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/gpu_totals.h"
#include "analysis/testing/gpu_rows.h"
#include "analysis/trace_findings.h"

namespace ridgeline::analysis {
namespace {

using results::DeviceTime;
using results::GpuActivity;
using results::GpuActivityKind;
using results::TraceRows;

constexpr int64_t kLastEndNs = 200;  // Short: instants are examined one by one.

TraceRows RandomRows(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return static_cast<int64_t>(random() % n); };
  const char* const names[] = {"gemm", "relu", "ncclAllReduce", "deep_ep::combine"};
  std::vector<TestActivity> activities;
  const int64_t count = below(40);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t start = below(kLastEndNs);
    const int64_t end = start + below(static_cast<uint32_t>(kLastEndNs - start)) / 4;
    const auto kind = static_cast<GpuActivityKind>(below(3));
    const bool is_kernel = kind == GpuActivityKind::kKernel;
    activities.push_back({is_kernel ? names[below(4)] : "copy", start, end,
                          static_cast<uint32_t>(below(3)), kind, below(30)});
  }
  TraceRows rows = GpuRows(activities);
  for (int64_t i = below(30); i > 0; --i) rows.runtime_calls.push_back({0, 1, below(30)});
  rows.thread_count = 2;
  for (int64_t i = below(40); i > 0; --i) {
    const int64_t start = below(kLastEndNs);
    rows.operators.push_back({start, below(static_cast<uint32_t>(kLastEndNs - start)),
                              rows.names.Intern(std::string(1, "abcde"[below(5)])),
                              static_cast<uint32_t>(below(2))});
  }
  return rows;
}

bool Covers(int64_t start_ns, int64_t duration_ns, int64_t instant) {
  return start_ns <= instant && instant < start_ns + duration_ns;
}

// Instant by instant.
DeviceTime SlowDeviceTime(const TraceRows& rows, uint32_t device) {
  DeviceTime time;
  bool was_busy = false;
  int64_t gap = 0;
  for (int64_t instant = 0; instant < 2 * kLastEndNs; ++instant) {
    bool compute = false;
    bool communication = false;
    bool memory = false;
    for (const GpuActivity& a : rows.gpu_activities) {
      if (rows.tracks[a.track].device != device) continue;
      if (!Covers(a.start_ns, a.duration_ns, instant)) continue;
      const bool is_kernel = a.kind == GpuActivityKind::kKernel;
      const bool is_nccl = rows.names.text(a.name).find("nccl") != std::string::npos;
      compute = compute || (is_kernel && !is_nccl);
      communication = communication || (is_kernel && is_nccl);
      memory = memory || !is_kernel;
    }
    time.compute_ns += compute ? 1 : 0;
    time.communication_ns += communication ? 1 : 0;
    time.communication_exposed_ns += communication && !compute ? 1 : 0;
    time.memory_ns += memory ? 1 : 0;
    time.memory_exposed_ns += memory && !compute && !communication ? 1 : 0;
    time.busy_kernels_ns += compute || communication ? 1 : 0;
    if (compute || communication || memory) {
      if (was_busy && gap > 0) ++time.gap_count;
      if (was_busy) time.gap_max_ns = std::max(time.gap_max_ns, gap);
      ++time.busy_ns;
      was_busy = true;
      gap = 0;
    } else {
      ++gap;
    }
  }
  return time;
}

TEST(TracePropertyTest, DeviceTimesAreThoseOfEveryInstant) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const TraceRows rows = RandomRows(random);
    const std::vector<DeviceTime> times = DeviceTimes(rows, LaunchIndex(rows));
    for (const DeviceTime& got : times) {
      if (got.activity_count == 0) continue;
      const DeviceTime want = SlowDeviceTime(rows, got.device);
      EXPECT_EQ(got.busy_ns, want.busy_ns);
      EXPECT_EQ(got.busy_kernels_ns, want.busy_kernels_ns);
      EXPECT_EQ(got.compute_ns, want.compute_ns);
      EXPECT_EQ(got.communication_ns, want.communication_ns);
      EXPECT_EQ(got.communication_exposed_ns, want.communication_exposed_ns);
      EXPECT_EQ(got.memory_ns, want.memory_ns);
      EXPECT_EQ(got.memory_exposed_ns, want.memory_exposed_ns);
      EXPECT_EQ(got.gap_count, want.gap_count);
      EXPECT_EQ(got.gap_max_ns, want.gap_max_ns);
      EXPECT_EQ(got.busy_ns + got.idle_ns, got.span_ns);
      EXPECT_EQ(got.busy_ns,
                got.compute_ns + got.communication_exposed_ns + got.memory_exposed_ns);
      EXPECT_LE(got.launched_inside_busy_ns, got.busy_ns);
      EXPECT_EQ(got.launched_inside_busy_ns + got.launched_inside_idle_ns,
                got.launched_inside_span_ns);
    }
  }
}

// The latest-starting running operator; of those that start at the same time the
// shortest, of equal ones the last in the file.
std::map<StringId, int64_t> SlowSelfTimes(const TraceRows& rows) {
  std::map<StringId, int64_t> self_ns;
  for (uint32_t thread = 0; thread < rows.thread_count; ++thread) {
    for (int64_t instant = 0; instant < 2 * kLastEndNs; ++instant) {
      const results::ThreadCall* inner = nullptr;
      for (const results::ThreadCall& call : rows.operators) {
        if (call.thread != thread) continue;
        if (!Covers(call.start_ns, call.duration_ns, instant)) continue;
        const bool is_inner =
            inner == nullptr || call.start_ns > inner->start_ns ||
            (call.start_ns == inner->start_ns && call.duration_ns <= inner->duration_ns);
        if (is_inner) inner = &call;
      }
      if (inner != nullptr) ++self_ns[inner->name];
    }
  }
  return self_ns;
}

TEST(TracePropertyTest, SelfTimesAreThoseOfEveryInstant) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const TraceRows rows = RandomRows(random);
    std::map<StringId, int64_t> want = SlowSelfTimes(rows);
    int64_t calls = 0;
    for (const results::OperatorTotal& total : OperatorTotals(rows)) {
      EXPECT_EQ(total.time_self_ns, want[total.name]);
      EXPECT_LE(total.time_self_ns, total.time_total_ns);
      calls += total.calls;
    }
    EXPECT_EQ(calls, static_cast<int64_t>(rows.operators.size()));
  }
}

TEST(TracePropertyTest, TotalsLoseNothing) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    const TraceRows rows = RandomRows(random);
    const GpuTotals totals = GpuTotalsOf(rows);
    int64_t count = 0;
    int64_t time_ns = 0;
    for (const auto* list : {&totals.kernels, &totals.memory_ops}) {
      for (const results::GpuTotal& total : *list) {
        count += total.count;
        time_ns += total.time_total_ns;
      }
    }
    for (const GpuActivity& activity : rows.gpu_activities) {
      --count;
      time_ns -= activity.duration_ns;
    }
    EXPECT_EQ(count, 0);
    EXPECT_EQ(time_ns, 0);
  }
}

}  // namespace
}  // namespace ridgeline::analysis
