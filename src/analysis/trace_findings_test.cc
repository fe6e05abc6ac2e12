#include "analysis/trace_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/testing/gpu_rows.h"

namespace ridgeline::analysis {
namespace {

using testing::ElementsAre;

TEST(TraceFindingsTest, FindsStepsAmongAnnotations) {
  results::TraceRows rows;
  rows.thread_count = 1;
  rows.operators = {{0, 9, rows.names.Intern("aten::add"), 0}};
  rows.annotations = {{0, 10, rows.names.Intern("ProfilerStep#10"), 0},
                      {20, 30, rows.names.Intern("ProfilerStep#9"), 0},
                      {20, 30, rows.names.Intern("forward"), 0}};
  const TraceFindings findings = FindingsOf(rows);
  EXPECT_THAT(findings.steps.names, ElementsAre("ProfilerStep#10", "ProfilerStep#9"));
  EXPECT_EQ(findings.steps.duration->total_ns, 40);
}

TEST(TraceFindingsTest, FindsNothingInNothing) {
  const TraceFindings findings = FindingsOf({});
  EXPECT_TRUE(findings.operators.empty());
  EXPECT_FALSE(findings.kernel_duration);
  EXPECT_FALSE(findings.steps.duration);
  EXPECT_TRUE(findings.devices.empty());
}

TEST(TraceFindingsTest, TwoTracesInOneStoreKeepTheirNamesAndDevices) {
  results::ResultStore store;
  for (const char* kernel : {"first", "second"}) {
    results::TraceRows rows = GpuRows(
        {{kernel, 0, 5, 0, results::GpuActivityKind::kKernel, 1}, {"both", 0, 5, 2}});
    rows.runtime_calls = {{0, 1, 1}};
    rows.header.gpu_name_of_device["1"] = "Example GPU";
    rows.left_out.Add(results::DropReason::kFlowEvent);
    AddToStore(rows, FindingsOf(rows), {.file = kernel, .format = "torch_trace"},
               WithEvents::kYes, store);
  }
  ASSERT_EQ(store.sources.size(), 2U);
  EXPECT_EQ(store.sources[1].file, "second");
  EXPECT_EQ(store.sources[1].format, "torch_trace");
  ASSERT_EQ(store.devices.size(), 4U);
  EXPECT_EQ(store.devices[3].source, 1U);
  EXPECT_EQ(store.devices[3].model, "Example GPU");
  ASSERT_EQ(store.kernel_totals.size(), 4U);
  EXPECT_EQ(store.names.text(store.kernel_totals[3].name), "second");
  EXPECT_EQ(store.kernel_totals[3].device, 2U);
  EXPECT_EQ(store.kernel_totals[0].name, store.kernel_totals[2].name);
  EXPECT_EQ(store.device_times.size(), 4U);
  EXPECT_EQ(store.launch_delays.size(), 4U);
  EXPECT_EQ(store.launch_delays[3].source, 1U);
  EXPECT_EQ(store.gpu_activities.size(), 4U);
  EXPECT_EQ(store.import_counters.size(), 2U);
  const Result<std::string> saved = results::ToSqlite(store, "test");
  EXPECT_TRUE(saved.ok()) << saved.error().message();
}

}  // namespace
}  // namespace ridgeline::analysis
