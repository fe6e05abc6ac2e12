#include "analysis/ncu_findings.h"

#include <gmock/gmock.h>
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
  NcuQuestion question = {.device = NcuDevice()};
  question.device->ceilings.Of(MemoryLevel::kDram) = 5e12;
  question.device->ceilings.flops_per_s[NcuPrecision::kTensor] = 100e12;
  NcuDevice device = FindingsOf(rows, question).devices.at(0);
  EXPECT_EQ(device.ceilings.Of(MemoryLevel::kDram), 1e12);
  EXPECT_EQ(device.ridge_flops_per_byte, 100.0);
  question.given.Of(MemoryLevel::kDram) = 2e12;
  device = FindingsOf(rows, question).devices.at(0);
  EXPECT_EQ(device.ridge_flops_per_byte, 50.0);
}

// A launch on a GPU with its own ceiling; without a name, its page does not name the GPU.
void AddLaunchOn(const std::string& name, const std::string& capability,
                 std::optional<double> bytes_per_cycle, NcuRows& rows) {
  AddNcuLaunch(rows, "k", static_cast<int64_t>(rows.launches.size())).capability =
      rows.names.Intern(capability);
  AddNcuMetric(rows, "dram__cycles_elapsed.avg.per_second", "hz", 1e9);
  if (bytes_per_cycle) {
    AddNcuMetric(rows, "dram__bytes.sum.peak_sustained", "byte/cycle", *bytes_per_cycle);
  }
  if (name.empty()) return;
  const bool is_a100 = capability == "8.0";
  AddNcuMetric(rows, "device__attribute_gpu_pci_device_id", "",
               is_a100 ? 0x20B010DE : 0x1EB810DE);
  AddNcuMetric(rows, "device__attribute_display_name", "", 0);
  rows.launches.back().metrics.back().value.reset();
  rows.launches.back().metrics.back().text = rows.names.Intern(name);
}

TEST(NcuFindingsTest, ComparesEachLaunchWithItsOwnGpu) {
  NcuRows rows;
  AddLaunchOn("NVIDIA A100-SXM4-40GB", "8.0", 2000, rows);
  AddLaunchOn("Tesla T4", "7.5", 300, rows);
  AddLaunchOn("NVIDIA A100-SXM4-40GB", "8.0", 1900, rows);
  AddLaunchOn("", "8.0", {}, rows);
  const NcuFindings findings = FindingsOf(rows, {.lookup = GpuLookup::kTable});
  ASSERT_EQ(findings.devices.size(), 3U);
  EXPECT_THAT(findings.devices[0].name, testing::HasSubstr("A100"));
  EXPECT_THAT(findings.devices[1].name, testing::HasSubstr("T4"));
  EXPECT_EQ(findings.devices[2].name, "");  // Could be either of two GPUs.
  EXPECT_EQ(findings.devices[0].ceilings.Of(MemoryLevel::kDram), 2e12);
  EXPECT_EQ(findings.devices[1].ceilings.Of(MemoryLevel::kDram), 0.3e12);
  EXPECT_NE(findings.devices[0].ceilings.flops_per_s[NcuPrecision::kTensor],
            findings.devices[1].ceilings.flops_per_s[NcuPrecision::kTensor]);
  const size_t want[] = {0, 1, 0, 2};
  for (size_t i = 0; i < std::size(want); ++i) {
    EXPECT_EQ(findings.launches[i].device, want[i]) << i;
  }
}

TEST(NcuFindingsTest, TakesTheOnlyNamedGpuForLaunchesThatNameNone) {
  NcuRows rows;
  AddLaunchOn("", "8.0", {}, rows);
  AddLaunchOn("NVIDIA A100-SXM4-40GB", "8.0", 2000, rows);
  AddLaunchOn("", "", {}, rows);
  EXPECT_EQ(FindingsOf(rows, {}).devices.size(), 1U);
  EXPECT_EQ(FindingsOf(rows, {}).devices[0].name, "NVIDIA A100-SXM4-40GB");
  const NcuFindings known = FindingsOf(rows, {.lookup = GpuLookup::kTable});
  EXPECT_EQ(known.devices[0].name, "A100 SXM4 40GB");
  AddLaunchOn("", "9.0", {}, rows);
  EXPECT_EQ(FindingsOf(rows, {}).devices.size(), 2U);
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
