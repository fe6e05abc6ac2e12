#include <gmock/gmock.h>

#include "analysis/testing/ncu_rows.h"
#include "report/report.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using cost::CostClass;
using testing::DoubleEq;
using testing::Optional;

// Decoding with 8 GFLOP and 4 GB in 2 s, on a device with 16 GFLOP/s and 4 GB/s.
RunFacts Decoding() {
  RunFacts facts;
  analysis::PhaseTotal decode = {.name = "decode", .cost = {}, .seconds = 2};
  decode.cost.flops(CostClass::kGemm) = {.executed = 8'000'000'000,
                                         .useful = 4'000'000'000};
  decode.cost.bytes.weights_read = 4'000'000'000;
  analysis::PhaseTotal page = decode;
  page.name = "end_to_end";
  facts.measured = {.device = "a device",
                    .ceilings = {.flops_per_s = 16e9, .bytes_per_s = 4e9},
                    .totals = {decode, page},
                    .regions = {},
                    .samples = 3};
  return facts;
}

TEST(LedgerTest, HoldsPhasesAgainstTheRoofs) {
  const std::optional<LedgerRow> ledger = MakeLedger(Decoding());
  ASSERT_TRUE(ledger);
  EXPECT_EQ(ledger->samples, 3);
  const LedgerPhaseRow& decode = ledger->phases[0];
  EXPECT_EQ(decode.name, "decode");
  EXPECT_EQ(decode.flops, 8'000'000'000u);
  EXPECT_EQ(decode.bytes, 4'000'000'000u);
  EXPECT_EQ(decode.roofline_s, 1.0);
  EXPECT_EQ(decode.roofline_slowdown, 2.0);
  EXPECT_EQ(decode.bound, cost::BoundClass::kMemory);
  EXPECT_EQ(decode.mfu, 0.25);
  EXPECT_EQ(decode.mbu, 0.5);
  EXPECT_EQ(MakeLedger({}).has_value(), false);
}

TEST(RooflineTest, HasPhasesAndRegionsButNoPages) {
  RunFacts facts = Decoding();
  facts.store.region_rooflines = {
      {.path = "prefill/sam",
       .time_ns = 1'000'000'000,
       .flops = 200,
       .flops_useful = 100,
       .bytes = 10},
      {.path = "does nothing", .time_ns = 1'000'000'000, .flops = 7, .bytes = 10}};
  const std::vector<RooflineRow> charts = MakeRoofline(facts);
  ASSERT_EQ(charts.size(), 1U);
  const std::vector<RooflinePointRow>& points = charts[0].points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].name, "decode");
  EXPECT_EQ(points[0].flops_per_byte, 1.0);  // Useful FLOPs.
  EXPECT_EQ(points[0].flops_per_s, 2e9);
  // Memory-bound at 4 GFLOP/s there: the inverse of the slowdown in the ledger.
  EXPECT_EQ(points[0].roofline_fraction, 0.5);
  EXPECT_EQ(MakeLedger(Decoding())->phases[0].roofline_slowdown, 2.0);
  EXPECT_EQ(points[1].kind, "region");
  EXPECT_THAT(points[1].roofline_fraction, Optional(DoubleEq(100 / 16e9)));
  EXPECT_TRUE(MakeRoofline({}).empty());
}

NcuFacts TwoLaunches() {
  NcuFacts ncu = {.source = "ncu/run.ncu-rep", .rows = {}, .findings = {}};
  analysis::AddNcuLaunch(ncu.rows, "short", 0);
  analysis::AddNcuMetric(ncu.rows, "gpu__time_duration.sum", "ns", 1000);
  results::NcuLaunch& launch = analysis::AddNcuLaunch(ncu.rows, "long", 1);
  launch.grid = results::NcuShape{152, 4, 1};
  launch.rules.push_back({.section = 0,
                          .name = 0,
                          .kind = ncu.rows.names.Intern("OPT"),
                          .text = ncu.rows.names.Intern("do less"),
                          .speedup_kind = ncu.rows.names.Intern("global"),
                          .speedup_percent = 12.5});
  analysis::AddNcuMetric(ncu.rows, "gpu__time_duration.sum", "ns", 5000);
  ncu.findings = analysis::FindingsOf(ncu.rows, {});
  return ncu;
}

TEST(NcuTest, HasTheLongestLaunchFirst) {
  RunFacts facts;
  facts.ncu.push_back(TwoLaunches());
  const std::vector<NcuRow> rows = MakeNcu(facts);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "long");
  EXPECT_EQ(rows[0].duration_s, 5e-6);
  EXPECT_EQ(rows[0].grid, "152 4 1");
  EXPECT_EQ(rows[0].block, std::nullopt);
  EXPECT_EQ(rows[0].kernel_class, analysis::Bottleneck::kUnknown);
  EXPECT_EQ(rows[0].rules.at(0).speedup_percent, 12.5);
  EXPECT_EQ(rows[0].rules.at(0).speedup_kind, "global");
  EXPECT_EQ(rows[1].name, "short");
}

TEST(NcuTest, HasOneRowPerKernelAndItsLaunches) {
  NcuFacts ncu = {.source = "a.csv", .rows = {}, .findings = {}};
  struct Launch {
    const char* kernel;
    double duration_ns;
    double sm_percent;
  };
  for (const Launch& launch :
       {Launch{"gemm", 1000, 10}, Launch{"copy", 500, 5}, Launch{"gemm", 3000, 90}}) {
    analysis::AddNcuLaunch(ncu.rows, launch.kernel,
                           static_cast<int64_t>(ncu.rows.launches.size()));
    analysis::AddNcuMetric(ncu.rows, "gpu__time_duration.sum", "ns", launch.duration_ns);
    analysis::AddNcuMetric(ncu.rows, "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                           "%", launch.sm_percent);
    analysis::AddNcuMetric(
        ncu.rows, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "%",
        launch.sm_percent / 2);
  }
  ncu.findings = analysis::FindingsOf(ncu.rows, {});
  RunFacts facts;
  facts.ncu.push_back(std::move(ncu));
  const Document report = MakeReport(facts);
  ASSERT_EQ(report.ncu_kernels.size(), 2u);
  const NcuKernelRow& gemm = report.ncu_kernels[0];
  EXPECT_EQ(gemm.name, "gemm");
  EXPECT_EQ(gemm.launches, 2);
  EXPECT_THAT(gemm.total_s, Optional(DoubleEq(4e-6)));
  EXPECT_THAT(gemm.mean_s, Optional(DoubleEq(2e-6)));
  EXPECT_THAT(gemm.min_s, Optional(DoubleEq(1e-6)));
  EXPECT_THAT(gemm.share, Optional(DoubleEq(4.0 / 4.5)));
  EXPECT_THAT(gemm.sm_percent, Optional(DoubleEq(70)));  // Weighted by time.
  EXPECT_THAT(gemm.memory_percent, Optional(DoubleEq(35)));
  // Without a timeline, they are the kernels of the report.
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_EQ(report.kernels[0].name, "gemm");
  EXPECT_EQ(report.kernels[0].launches, 2);
  EXPECT_EQ(report.kernels_total.launches, 3);
}

TEST(MemoryTest, JoinsWhatIsKnown) {
  RunFacts facts;
  EXPECT_EQ(MakeMemory(facts).kv_cache_bytes, std::nullopt);
  facts.static_memory = {.parameters = 7,
                         .weights_read_bytes = {},
                         .kv_cache_bytes = 512,
                         .activation_peaks = {{"vision", 9}, {"decode", 3}}};
  facts.machine_memory_bytes = 1000;
  facts.operator_memory = {{"aten::free", -5}, {"aten::mm", 3}, {"aten::cat", 8}};
  facts.manifest.emplace();
  facts.manifest->stages.push_back({.name = "nsys"});
  facts.manifest->stages[0].processes.push_back(
      {.purpose = "nsys profile", .peak_rss_bytes = 77});
  const MemoryRow memory = MakeMemory(facts);
  EXPECT_EQ(memory.parameters, 7);
  EXPECT_EQ(memory.weights_read_bytes, std::nullopt);
  EXPECT_EQ(memory.host_memory_bytes, 1000);
  ASSERT_EQ(memory.activation_peaks.size(), 2u);
  EXPECT_EQ(memory.activation_peaks[1].phase, "decode");
  EXPECT_EQ(memory.activation_peaks[1].bytes, 3);
  ASSERT_EQ(memory.peak_rss.size(), 1u);
  EXPECT_EQ(memory.peak_rss[0].source, "nsys: nsys profile");
  ASSERT_EQ(memory.operators.size(), 2u);  // Freed memory is not usage.
  EXPECT_EQ(memory.operators[0].name, "aten::cat");
  EXPECT_EQ(memory.operators[1].self_bytes, 3);
}

}  // namespace
}  // namespace ridgeline::report
