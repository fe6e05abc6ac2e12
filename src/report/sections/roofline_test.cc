#include <gmock/gmock.h>

#include "analysis/testing/ncu_rows.h"
#include "report/sections/run_report_parts.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using cost::CostClass;
using testing::DoubleEq;

// Decoding of 8 GFLOP and 4 GB in 2 s, on a device of 16 GFLOP/s and 4 GB/s.
RunFacts Decoding() {
  RunFacts facts;
  estimates::PhaseTotal decode = {.name = "decode", .cost = {}, .seconds = 2};
  decode.cost.flops(CostClass::kGemm) = {.executed = 8'000'000'000,
                                         .ideal = 4'000'000'000};
  decode.cost.bytes.weights_read = 4'000'000'000;
  estimates::PhaseTotal page = decode;
  page.name = "page";
  facts.measured = {.device = "a device",
                    .roofs = {.flops_per_s = 16e9, .bytes_per_s = 4e9},
                    .totals = {decode, page},
                    .regions = {},
                    .samples = 3};
  return facts;
}

TEST(LedgerJsonTest, HoldsPhasesAgainstTheRoofs) {
  const Json ledger = LedgerJson(Decoding());
  EXPECT_EQ(ledger["samples"], 3);
  const Json& decode = ledger["phases"][0];
  EXPECT_EQ(decode["name"], "decode");
  EXPECT_EQ(decode["flops"], 8'000'000'000);
  EXPECT_EQ(decode["bytes"], 4'000'000'000);
  EXPECT_EQ(decode["least_s"], 1.0);
  EXPECT_EQ(decode["distance"], 2.0);
  EXPECT_EQ(decode["bound"], "memory");
  EXPECT_EQ(decode["mfu"], 0.25);
  EXPECT_EQ(decode["mbu"], 0.5);
  EXPECT_TRUE(LedgerJson({}).is_null());
}

TEST(RooflineJsonTest, HasPhasesAndRegionsButNoPages) {
  RunFacts facts = Decoding();
  facts.store.region_roofs = {
      {.path = "prefill/sam", .time_ns = 1'000'000'000, .flops = 100, .bytes = 10},
      {.path = "does nothing", .time_ns = 1'000'000'000, .flops = 0, .bytes = 10}};
  const Json rooflines = RooflineJson(facts);
  ASSERT_EQ(rooflines.size(), 1U);
  const Json& points = rooflines[0]["points"];
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0]["name"], "decode");
  EXPECT_EQ(points[0]["flops_per_byte"], 2.0);
  EXPECT_EQ(points[0]["flops_per_s"], 4e9);
  EXPECT_EQ(points[0]["share_of_roof"], 0.5);  // Memory allows 8 GFLOP/s there.
  EXPECT_EQ(points[1]["kind"], "region");
  EXPECT_THAT(points[1]["share_of_roof"].get<double>(), DoubleEq(100 / 16e9));
  EXPECT_EQ(RooflineJson({}).size(), 0U);
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
                          .speedup_percent = 12.5});
  analysis::AddNcuMetric(ncu.rows, "gpu__time_duration.sum", "ns", 5000);
  ncu.findings = analysis::FindingsOf(ncu.rows, {});
  return ncu;
}

TEST(NcuJsonTest, HasTheLongestLaunchFirst) {
  RunFacts facts;
  facts.ncu.push_back(TwoLaunches());
  const Json rows = NcuJson(facts);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["name"], "long");
  EXPECT_EQ(rows[0]["duration_s"], 5e-6);
  EXPECT_EQ(rows[0]["grid"], "152 4 1");
  EXPECT_TRUE(rows[0]["block"].is_null());
  EXPECT_EQ(rows[0]["class"], "unknown");
  EXPECT_EQ(rows[0]["rules"][0]["speedup_percent"], 12.5);
  EXPECT_EQ(rows[1]["name"], "short");
}

TEST(MemoryJsonTest, JoinsWhatIsKnown) {
  RunFacts facts;
  EXPECT_TRUE(MemoryJson(facts)["kv_cache_bytes"].is_null());
  facts.static_analysis = {{"parameters", {{"total", 7}}},
                           {"kv_cache_bytes", 512},
                           {"activation_peak_bytes", {{"vision", 9}, {"decode", 3}}}};
  facts.environment = {{"memory", {{"total_bytes", 1000}}}};
  facts.operator_memory = {{"aten::free", -5}, {"aten::mm", 3}, {"aten::cat", 8}};
  facts.manifest.emplace();
  facts.manifest->stages.push_back({.name = "nsys"});
  facts.manifest->stages[0].processes.push_back(
      {.purpose = "nsys profile", .peak_rss_bytes = 77});
  EXPECT_EQ(
      MemoryJson(facts),
      Json({{"parameters", 7},
            {"weights_read_bytes", nullptr},
            {"kv_cache_bytes", 512},
            {"activation_peaks",
             {{{"phase", "vision"}, {"bytes", 9}}, {{"phase", "decode"}, {"bytes", 3}}}},
            {"peak_rss", {{{"source", "nsys: nsys profile"}, {"bytes", 77}}}},
            {"machine_total_bytes", 1000},
            {"operators",
             {{{"name", "aten::cat"}, {"self_bytes", 8}},
              {{"name", "aten::mm"}, {"self_bytes", 3}}}}}));
}

}  // namespace
}  // namespace ridgeline::report
