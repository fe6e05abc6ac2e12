#include "analysis/regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/open_ranges.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;
using results::kNone;
using results::NsysRows;
using results::NvtxKind;
using results::RegionTotal;

// Two threads of one process, one of another; a single stream.
class RegionsTest : public testing::Test {
 protected:
  RegionsTest() {
    rows_.processes = {1, 2};
    rows_.threads = {{.global_tid = 1, .process = 0},
                     {.global_tid = 2, .process = 0},
                     {.global_tid = 3, .process = 1}};
    rows_.devices = {{}};
    rows_.tracks = {{}};
    rows_.domains = {{}, {.id = 1, .name = "NCCL"}};
    rows_.kernel_shapes.push_back({.name = rows_.names.Intern("kernel")});
  }

  void Range(const std::string& name, int64_t start_ns, int64_t end_ns,
             uint32_t thread = 0) {
    rows_.nvtx_ranges.push_back({.start_ns = start_ns,
                                 .end_ns = end_ns,
                                 .name = rows_.names.Intern(name),
                                 .thread = thread});
  }

  void Kernel(int64_t start_ns, int64_t duration_ns, int64_t call_ns,
              uint32_t thread = 0) {
    results::NsysGpuOp op;
    op.start_ns = start_ns;
    op.duration_ns = duration_ns;
    op.call_start_ns = call_ns;
    op.call_duration_ns = 1;
    op.thread = thread;
    ops_.push_back(op);
  }

  void Copy(int64_t start_ns, int64_t duration_ns, int64_t call_ns, int64_t bytes) {
    Kernel(start_ns, duration_ns, call_ns);
    ops_.back().kind = GpuActivityKind::kMemcpy;
    ops_.back().detail = static_cast<uint32_t>(rows_.memory_ops.size());
    rows_.memory_ops.push_back({.bytes = bytes});
  }

  void Migrate(int64_t start_ns, int64_t duration_ns, int64_t bytes) {
    Copy(start_ns, duration_ns, 0, bytes);
    ops_.back().thread = kNone;
    rows_.memory_ops.back().is_migration = true;
  }

  RegionFindings Find() {
    results::NsysGpuOpSorter sorter;
    for (const results::NsysGpuOp& op : ops_) sorter.Add(op);
    rows_.gpu_ops = std::move(sorter).Finish();
    Result<RegionFindings> findings = RegionsOf(rows_);
    EXPECT_TRUE(findings.ok());
    return std::move(findings).value();
  }

  std::map<std::string, RegionTotal> ByPath() {
    std::map<std::string, RegionTotal> by_path;
    for (const RegionTotal& region : Find().regions) by_path[region.path] = region;
    return by_path;
  }

  NsysRows rows_;
  std::vector<results::NsysGpuOp> ops_;
};

TEST_F(RegionsTest, NestsRangesOfAThread) {
  Range("prefill", 0, 100);
  Range("sam", 10, 50);
  Kernel(1000, 7, 20);
  Kernel(1010, 5, 60);
  const auto regions = ByPath();
  EXPECT_EQ(regions.at("prefill").gpu_exclusive_ns, 5);
  EXPECT_EQ(regions.at("prefill").gpu_inclusive_ns, 12);
  EXPECT_EQ(regions.at("prefill").launches, 1);
  EXPECT_EQ(regions.at("prefill").launches_inclusive, 2);
  EXPECT_EQ(regions.at("prefill").cpu_total_ns, 100);
  EXPECT_EQ(regions.at("prefill/sam").gpu_exclusive_ns, 7);
  EXPECT_EQ(regions.at("prefill").gpu_span_ns, 15);
  EXPECT_EQ(regions.at("prefill").gpu_gap_ns, 3);
}

TEST_F(RegionsTest, TellsHowLongSingleInstancesTook) {
  Range("step", 0, 10);
  Range("step", 20, 50);
  Range("step", 100, 101);
  Range("idle", 200, 207);
  Kernel(1000, 7, 5);
  Kernel(1010, 5, 6);
  Kernel(2000, 4, 30);
  const auto regions = ByPath();
  using Spread = results::InstanceQuantiles;
  EXPECT_EQ(regions.at("step").cpu_instance, (Spread{1, 10, 29.6, 30}));
  EXPECT_EQ(regions.at("step").gpu_span_instance, (Spread{4, 9.5, 14.89, 15}));
  EXPECT_EQ(regions.at("idle").cpu_instance, (Spread{7, 7, 7, 7}));
  EXPECT_EQ(regions.at("idle").gpu_span_instance, std::nullopt);
  EXPECT_EQ(regions.at("idle").gpu_span_ns, std::nullopt) << "not 0: it launched nothing";
  EXPECT_EQ(regions.at("step").gpu_span_ns, 19);
}

// Both instances of "request" are open when the kernel is launched.
TEST_F(RegionsTest, CountsOverlappingStartEndRangesOfOneNameOnce) {
  for (const int64_t start_ns : {0, 10}) {
    Range("request", start_ns, start_ns + 50);
    rows_.nvtx_ranges.back().kind = NvtxKind::kStartEnd;
  }
  Kernel(1000, 5, 20);
  Kernel(1010, 5, 55);
  const RegionTotal region = ByPath().at("request");
  EXPECT_EQ(region.instances, 2);
  EXPECT_EQ(region.gpu_inclusive_ns, 10);
  EXPECT_EQ(region.gpu_span_ns, 5 + 15) << "of each instance";
  EXPECT_EQ(region.gpu_gap_ns, 5);
}

TEST_F(RegionsTest, TellsASlashInANameFromOneBetweenNames) {
  Range("io/read", 0, 100);
  Range("C:\\", 10, 20);
  Range("io", 200, 300);
  Range("read", 210, 220);
  const auto regions = ByPath();
  ASSERT_EQ(regions.size(), 4);
  for (const char* const path : {"io\\/read", "io\\/read/C:\\\\", "io", "io/read"}) {
    EXPECT_TRUE(regions.contains(path)) << path;
  }
  EXPECT_TRUE(results::IsOutermostRegion("io\\/read"));
  EXPECT_TRUE(results::IsOutermostRegion("C:\\\\"));
  EXPECT_FALSE(results::IsOutermostRegion("C:\\\\/read"));
}

TEST_F(RegionsTest, CountsTheWorkOfARecursiveRangeOnce) {
  Range("walk", 0, 100);
  Range("walk", 10, 90);
  Range("walk", 20, 80);
  Kernel(1000, 7, 50);
  const RegionFindings findings = Find();
  ASSERT_EQ(findings.names.size(), 1);
  EXPECT_EQ(findings.names[0].kernels, 1);
  EXPECT_EQ(findings.names[0].kernel_time_ns, 7);
  EXPECT_EQ(findings.names[0].gpu_span_ns, 7);
  EXPECT_EQ(findings.names[0].instances_with_gpu_ops, 1);
  EXPECT_EQ(ByPath().at("walk").gpu_inclusive_ns, 7);
  EXPECT_EQ(ByPath().at("walk/walk/walk").gpu_exclusive_ns, 7);
}

// A push without a pop in a loop. Takes minutes and all memory if anything is done for
// each ancestor of a range.
TEST_F(RegionsTest, BoundsTheDepthOfRangesThatAreNeverPopped) {
  constexpr int64_t kPushes = 30'000;
  for (int64_t i = 0; i < kPushes; ++i) {
    Range("step " + std::to_string(i), i, 2 * kPushes);
    Kernel(3 * kPushes + i, 1, i);
  }
  const RegionFindings findings = Find();
  EXPECT_EQ(findings.regions.size(), kPushes);
  EXPECT_EQ(findings.left_out.Get(results::DropReason::kNvtxTooDeep),
            kPushes - kMaxRangeLevels);
  EXPECT_EQ(findings.regions[0].path, "step 0");
  EXPECT_EQ(findings.regions[0].gpu_inclusive_ns, kPushes);
  EXPECT_EQ(findings.regions[kMaxRangeLevels].gpu_inclusive_ns, 1);
}

TEST_F(RegionsTest, BoundsTheNumberOfStartEndRangesThatAreNeverEnded) {
  constexpr int64_t kStarts = 20'000;
  for (int64_t i = 0; i < kStarts; ++i) {
    Range("request " + std::to_string(i), i, 2 * kStarts);
    rows_.nvtx_ranges.back().kind = NvtxKind::kStartEnd;
    Kernel(3 * kStarts + i, 1, i);
  }
  const RegionFindings findings = Find();
  EXPECT_EQ(findings.left_out.Get(results::DropReason::kNvtxTooManyOpen),
            kStarts - static_cast<int64_t>(OpenRanges::kMaxOpen));
  EXPECT_EQ(findings.outside.gpu_ns, 0);
  EXPECT_EQ(ByPath().at("request 0").gpu_inclusive_ns, OpenRanges::kMaxOpen);
}

// The kernel may run long after the range ended.
TEST_F(RegionsTest, LooksAtTheCallNotAtTheKernel) {
  Range("early", 0, 100);
  Range("late", 1000, 2000);
  Kernel(1500, 10, 50);
  const auto regions = ByPath();
  EXPECT_EQ(regions.at("early").gpu_exclusive_ns, 10);
  EXPECT_EQ(regions.at("late").gpu_exclusive_ns, 0);
}

TEST_F(RegionsTest, KeepsThreadsApart) {
  Range("mine", 0, 100, 0);
  Range("yours", 10, 90, 1);
  Kernel(1000, 10, 50, 0);
  Kernel(2000, 20, 50, 1);
  Kernel(3000, 40, 50, 2);
  const auto regions = ByPath();
  EXPECT_EQ(regions.at("mine").gpu_inclusive_ns, 10);
  EXPECT_EQ(regions.at("yours").gpu_inclusive_ns, 20);
  EXPECT_EQ(Find().outside.gpu_ns, 40);
}

TEST_F(RegionsTest, EndsBeforeTheEnd) {
  Range("a", 10, 20);
  Kernel(100, 1, 9);
  Kernel(200, 2, 10);
  Kernel(300, 4, 19);
  Kernel(400, 8, 20);
  EXPECT_EQ(ByPath().at("a").gpu_exclusive_ns, 6);
  EXPECT_EQ(Find().outside.gpu_ns, 9);
}

// Ranges of different domains need not nest: the op belongs to the one that began last.
TEST_F(RegionsTest, GivesWhatTwoRangesHoldToTheOneThatBeganLast) {
  Range("a", 0, 100);
  Range("b", 50, 150);
  rows_.nvtx_ranges.back().domain = 1;
  Kernel(1000, 1, 60);
  Kernel(2000, 2, 120);
  Kernel(3000, 4, 20);
  const auto regions = ByPath();
  EXPECT_EQ(regions.at("NCCL:b").gpu_exclusive_ns, 3);
  EXPECT_EQ(regions.at("a").gpu_inclusive_ns, 4);
}

TEST_F(RegionsTest, GivesWhatNoThreadHasARangeForToTheProcess) {
  Range("whole_run", 0, 1000, 1);
  rows_.nvtx_ranges.back().kind = NvtxKind::kStartEnd;
  Range("decode", 100, 200, 0);
  Kernel(1000, 1, 150, 0);
  Kernel(2000, 2, 300, 0);
  Kernel(3000, 4, 300, 2);
  const auto regions = ByPath();
  EXPECT_EQ(regions.at("decode").gpu_exclusive_ns, 1);
  EXPECT_EQ(regions.at("whole_run").gpu_exclusive_ns, 2);
  EXPECT_EQ(regions.at("whole_run").gpu_inclusive_ns, 3);
  EXPECT_EQ(regions.at("whole_run").kind, "start_end");
  EXPECT_EQ(Find().outside.gpu_ns, 4);
}

TEST_F(RegionsTest, CountsCopiesAndWhatHasNoCall) {
  Range("a", 0, 100);
  Copy(10, 3, 50, 4096);
  Kernel(20, 5, 0, kNone);
  Migrate(30, 7, 65536);
  const RegionFindings findings = Find();
  EXPECT_EQ(findings.migrations.memory_bytes, 65536);
  EXPECT_EQ(findings.regions[0].memory_exclusive_bytes, 4096);
  EXPECT_EQ(findings.regions[0].memory_inclusive_ns, 3);
  EXPECT_EQ(findings.without_call.gpu_ns, 5);
  EXPECT_EQ(findings.total.gpu_ns, 5);
  EXPECT_EQ(findings.total.memory_ns, 10);
  EXPECT_EQ(findings.without_call.memory_ns, 0);
  EXPECT_THAT(findings.region_of_op, testing::ElementsAre(0U, kNone, kNone));
}

// PyTorch's emit_nvtx makes every name unique.
TEST_F(RegionsTest, DropsNumbersOfCalls) {
  Range("aten::to, op_id = 1", 0, 10);
  Range("aten::to, op_id = 22", 10, 20);
  Kernel(100, 1, 5);
  Kernel(200, 2, 15);
  EXPECT_EQ(ByPath().at("aten::to").gpu_exclusive_ns, 3);
  EXPECT_EQ(WithoutCallNumbers("f, seq = 7, op_id = 8, sizes = [2]"), "f, sizes = [2]");
  EXPECT_EQ(WithoutCallNumbers("f, op_id = x"), "f, op_id = x");
}

}  // namespace
}  // namespace ridgeline::analysis
