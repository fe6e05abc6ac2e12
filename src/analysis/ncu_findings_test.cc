#include "analysis/ncu_findings.h"

#include <gtest/gtest.h>

#include "analysis/testing/ncu_rows.h"

namespace ridgeline::analysis {
namespace {

using results::NcuRows;

NcuRows Page(double sm, double memory) {
  NcuRows rows;
  AddNcuLaunch(rows, "k(int)");
  AddNcuMetric(rows, "Duration", "ns", 100);
  AddNcuMetric(rows, "SOL SM", "%", sm);
  AddNcuMetric(rows, "SOL Memory", "%", memory);
  return rows;
}

TEST(NcuFindingsTest, CountsClassesAndTheTimeInThem) {
  NcuRows rows = Page(90, 10);
  Append(Page(90, 20), rows);
  Append(Page(10, 90), rows);
  const NcuFindings findings = FindingsOf(rows, {});
  ASSERT_EQ(findings.launches.size(), 3U);
  EXPECT_EQ(findings.duration_total_ns, 300.0);
  ASSERT_EQ(findings.classes.size(), 2U);
  EXPECT_EQ(findings.classes[0].kernel_class, Bottleneck::kCompute);
  EXPECT_EQ(findings.classes[0].launches, 2);
  EXPECT_EQ(findings.classes[0].duration_ns, 200.0);
}

TEST(NcuFindingsTest, GivenRoofsWinAndOthersFillGaps) {
  NcuRows rows;
  AddNcuLaunch(rows, "k");
  AddNcuMetric(rows, "dram__bytes.sum.peak_sustained", "byte/cycle", 1000);
  AddNcuMetric(rows, "dram__cycles_elapsed.avg.per_second", "hz", 1e9);
  NcuQuestion question;
  question.fallback.Of(MemoryLevel::kDram) = 5e12;
  question.fallback.flops_per_s[NcuPrecision::kTensor] = 100e12;
  NcuFindings findings = FindingsOf(rows, question);
  EXPECT_EQ(findings.ceilings.Of(MemoryLevel::kDram), 1e12);
  EXPECT_EQ(findings.ridge_flops_per_byte, 100.0);
  question.given.Of(MemoryLevel::kDram) = 2e12;
  findings = FindingsOf(rows, question);
  EXPECT_EQ(findings.ridge_flops_per_byte, 50.0);
}

TEST(NcuFindingsTest, PutsPagesOfOneLaunchTogether) {
  NcuRows rows = Page(90, 10);
  NcuRows other;
  other.names.Intern("so that numbers of names differ");
  AddNcuLaunch(other, "k(int)");
  AddNcuMetric(other, "SOL SM", "%", 1);
  AddNcuMetric(other, "SOL DRAM", "%", 33);
  other.launches[0].rules.push_back({.section = other.names.Intern("S"),
                                     .name = other.names.Intern("R"),
                                     .kind = other.names.Intern("WRN"),
                                     .text = other.names.Intern("slow")});
  AddNcuLaunch(other, "k(int)", 1);
  Merge(other, rows);
  Merge(other, rows);
  ASSERT_EQ(rows.launches.size(), 2U);
  EXPECT_EQ(rows.launches[0].metrics.size(), 4U);
  const NcuKernel kernel = NcuKernelOf(rows, rows.launches[0]);
  EXPECT_EQ(kernel.sm_percent, 90.0);
  EXPECT_EQ(kernel.dram_percent, 33.0);
  ASSERT_EQ(rows.launches[0].rules.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.launches[0].rules[0].text), "slow");
}

TEST(NcuFindingsTest, StoresLaunchesMetricsAndRules) {
  const NcuRows rows = Page(90, 10);
  results::ResultStore store;
  AddToStore(rows, FindingsOf(rows, {}), {.file = "x.csv", .format = "ncu_csv"}, store);
  ASSERT_EQ(store.sources.size(), 1U);
  EXPECT_EQ(store.sources[0].format, "ncu_csv");
  ASSERT_EQ(store.ncu_launches.size(), 1U);
  EXPECT_EQ(store.ncu_launches[0].duration_ns, 100.0);
  ASSERT_EQ(store.ncu_metrics.size(), 3U);
  EXPECT_EQ(store.names.text(store.ncu_metrics[0].unit), "ns");
  EXPECT_TRUE(results::ToSqlite(store, "test").ok());
}

}  // namespace
}  // namespace ridgeline::analysis
