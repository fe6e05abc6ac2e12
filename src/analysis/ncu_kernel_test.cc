#include "analysis/ncu_kernel.h"

#include <gtest/gtest.h>

#include "analysis/testing/ncu_rows.h"

namespace ridgeline::analysis {
namespace {

using results::NcuLaunch;
using results::NcuRows;

TEST(NcuKernelTest, TrapOneQuantityHasManyLabels) {
  struct Case {
    const char* label;
    std::optional<double> NcuKernel::*field;
  };
  const Case cases[] = {
      {"sm__throughput.avg.pct_of_peak_sustained_elapsed", &NcuKernel::sm_percent},
      {"Compute (SM) Throughput", &NcuKernel::sm_percent},
      {"Compute (SM) [%]", &NcuKernel::sm_percent},
      {"SM [%]", &NcuKernel::sm_percent},
      {"SOL SM", &NcuKernel::sm_percent},
      {"Memory [%]", &NcuKernel::memory_percent},
      {"SOL Memory", &NcuKernel::memory_percent},
      {"DRAM Throughput", &NcuKernel::dram_percent},
      {"SOL DRAM", &NcuKernel::dram_percent},
      {"L1/TEX Hit Rate", &NcuKernel::l1_hit_percent},
      {"lts__t_sector_hit_rate.pct", &NcuKernel::l2_hit_percent},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    NcuRows rows;
    NcuLaunch& launch = AddNcuLaunch(rows, "k");
    AddNcuMetric(rows, c.label, "%", 42.5);
    EXPECT_EQ(NcuKernelOf(rows, launch).*c.field, 42.5);
  }
}

TEST(NcuKernelTest, TrapMemoryThroughputIsAShareAndARate) {
  NcuRows rows;
  NcuLaunch& launch = AddNcuLaunch(rows, "k");
  AddNcuMetric(rows, "Memory Throughput", "byte/s", 345.14e9);
  AddNcuMetric(rows, "Memory Throughput", "%", 19.66);
  const NcuKernel kernel = NcuKernelOf(rows, launch);
  EXPECT_EQ(kernel.memory_percent, 19.66);
  EXPECT_EQ(kernel.dram_bytes_per_s, 345.14e9);
}

TEST(NcuKernelTest, TrapBytesOfDramWereRenamed) {
  for (const char* const op : {"", "op_"}) {
    NcuRows rows;
    NcuLaunch& launch = AddNcuLaunch(rows, "k");
    AddNcuMetric(rows, "dram__bytes_" + std::string(op) + "read.sum", "byte", 10);
    AddNcuMetric(rows, "dram__bytes_" + std::string(op) + "write.sum", "byte", 5);
    const NcuKernel kernel = NcuKernelOf(rows, launch);
    EXPECT_EQ(kernel.dram_bytes, 15.0);
    EXPECT_EQ(kernel.dram_bytes_source, DramBytesSource::kCounters);
  }
}

TEST(NcuKernelTest, EstimatesBytesWhereNobodyCountedThem) {
  NcuRows rows;
  NcuLaunch& launch = AddNcuLaunch(rows, "k");
  AddNcuMetric(rows, "Memory Throughput", "byte/s", 2e9);
  EXPECT_EQ(NcuKernelOf(rows, launch).dram_bytes, std::nullopt);
  AddNcuMetric(rows, "Duration", "ns", 500);
  const NcuKernel kernel = NcuKernelOf(rows, launch);
  EXPECT_EQ(kernel.dram_bytes, 1000.0);
  EXPECT_EQ(kernel.dram_bytes_source, DramBytesSource::kThroughputTimesTime);
}

TEST(NcuKernelTest, CountsFlopsOfTheRooflineSection) {
  NcuRows rows;
  NcuLaunch& launch = AddNcuLaunch(rows, "k");
  const std::string item = "Single Precision Achieved Value";
  AddNcuMetric(rows, "Duration", "ns", 23420);
  AddNcuMetric(rows, "SM Frequency", "hz", 1.9e9);  // From another section.
  AddNcuMetric(rows, "Predicated-On FFMA Operations Per Cycle", "inst", 26.51, item);
  AddNcuMetric(rows, "SM Frequency", "hz", 2.01e9, item);
  AddNcuMetric(rows, "Predicated-On FADD Thread Instructions Executed Per Cycle",
               "inst/cycle", 0, item);
  AddNcuMetric(rows, "Predicated-On FMUL Thread Instructions Executed Per Cycle",
               "inst/cycle", 13.26, item);
  const NcuKernel kernel = NcuKernelOf(rows, launch);
  EXPECT_DOUBLE_EQ(*kernel.roofline_flops_per_s[NcuPrecision::kFp32],
                   (26.51 + 13.26) * 2.01e9);
  EXPECT_EQ(kernel.roofline_flops_per_s[NcuPrecision::kFp64], std::nullopt);
  EXPECT_DOUBLE_EQ(*FlopsOf(kernel, NcuPrecision::kFp32),
                   (26.51 + 13.26) * 2.01e9 * 23420e-9);
}

TEST(NcuKernelTest, TrapTheRooflineSectionCountsNoTensorCores) {
  NcuRows rows;
  NcuLaunch& launch = AddNcuLaunch(rows, "cutlass gemm");
  for (const char* const operation : {"fadd", "fmul", "ffma"}) {
    AddNcuMetric(
        rows,
        "smsp__sass_thread_inst_executed_op_" + std::string(operation) + "_pred_on.sum",
        "inst", 0);
  }
  EXPECT_EQ(FlopsTotalOf(NcuKernelOf(rows, launch)), 0.0);
  AddNcuMetric(rows, "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
               "%", 40);
  EXPECT_EQ(FlopsTotalOf(NcuKernelOf(rows, launch)), std::nullopt);
  AddNcuMetric(rows, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", "", 1275068416);
  AddNcuMetric(rows, "sm__ops_path_tensor_src_fp16_dst_fp32.sum", "", 4);
  EXPECT_EQ(FlopsTotalOf(NcuKernelOf(rows, launch)), 1275068420.0);
}

TEST(NcuKernelTest, FindsThePeaksOfCachesByShares) {
  NcuRows rows;
  NcuLaunch& launch = AddNcuLaunch(rows, "k");
  AddNcuMetric(rows, "gpu__time_duration.sum", "ns", 1000);
  AddNcuMetric(rows, "lts__t_sectors.sum", "sector", 100);
  AddNcuMetric(rows, "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "%", 50);
  AddNcuMetric(rows, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", 10);
  AddNcuMetric(rows, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
               "sector", 5);
  const NcuKernel kernel = NcuKernelOf(rows, launch);
  EXPECT_EQ(kernel.l2_bytes, 3200.0);
  EXPECT_DOUBLE_EQ(*kernel.l2_peak_bytes_per_s, 6.4e9);
  EXPECT_EQ(kernel.l1_bytes, 320.0);
  EXPECT_EQ(kernel.l1_peak_bytes_per_s, std::nullopt);
}

}  // namespace
}  // namespace ridgeline::analysis
