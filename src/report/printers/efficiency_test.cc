#include "report/printers/efficiency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgeline::report {
namespace {

using analysis::MeasuredRun;
using testing::HasSubstr;

cost::Cost Work(uint64_t flops, uint64_t bytes) {
  cost::Cost cost;
  cost.flops(cost::CostClass::kGemm) = cost::Amount::Same(flops);
  cost.bytes.weights_read = bytes;
  return cost;
}

// A device with 1000 FLOP/s and 100 bytes/s.
MeasuredRun RunOfKnownWork() {
  MeasuredRun run;
  run.device = "a device";
  run.samples = 2;
  run.ceilings = {1000.0, 100.0};
  run.totals = {{"vision", Work(5000, 100), 10},  // Roofline: 5 s, compute.
                {"prefill", Work(1000, 400), 5},  // Roofline: 4 s, memory.
                {"decode", Work(100, 1000), 20},  // Roofline: 10 s, memory.
                {"end_to_end", Work(6100, 1500), 35}};
  return run;
}

TEST(Efficiency, IsWhatTheRoofsAllow) {
  const auto phases =
      nlohmann::json::parse(EfficiencyJson(RunOfKnownWork())).at("phases");
  EXPECT_DOUBLE_EQ(phases.at("vision").at("mfu"), 0.5);
  EXPECT_DOUBLE_EQ(phases.at("vision").at("roofline_slowdown"), 2);
  EXPECT_EQ(phases.at("vision").at("bound"), "compute");
  EXPECT_DOUBLE_EQ(phases.at("decode").at("mbu"), 0.5);
  EXPECT_EQ(phases.at("decode").at("bound"), "memory");
  // 5 + 4 + 10 s, in sequence.
  EXPECT_DOUBLE_EQ(phases.at("end_to_end").at("roofline_s"), 19);
  EXPECT_DOUBLE_EQ(phases.at("end_to_end").at("mfu"), 6100.0 / 35 / 1000);
}

TEST(Efficiency, OfAnUnknownDeviceIsUnknown) {
  MeasuredRun run = RunOfKnownWork();
  run.ceilings = {};
  const auto phases = nlohmann::json::parse(EfficiencyJson(run)).at("phases");
  EXPECT_TRUE(phases.at("decode").at("mbu").is_null());
  EXPECT_TRUE(phases.at("end_to_end").at("roofline_slowdown").is_null());
  EXPECT_THAT(EfficiencyMarkdown(run),
              HasSubstr("| decode | 20.0 s | ? | ? | unknown |"));
}

}  // namespace
}  // namespace ridgeline::report
