#include "report/svg/ncu_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::report {
namespace {

using analysis::Bottleneck;
using analysis::MemoryLevel;
using analysis::NcuFindings;
using analysis::NcuLaunchFinding;
using analysis::NcuPrecision;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> NamesOf(const std::vector<PlotFile>& plots) {
  std::vector<std::string> names;
  for (const PlotFile& plot : plots) names.push_back(plot.name);
  return names;
}

NcuLaunchFinding Gemm(const analysis::NcuCeilings& ceilings) {
  NcuLaunchFinding launch;
  launch.kernel.duration_ns = 1000;
  launch.kernel.dram_bytes = 1e6;
  launch.kernel.l2_bytes = 4e6;
  launch.kernel.flops[NcuPrecision::kTensor] = 50e6;
  launch.kernel.sm_percent = 61;
  launch.kernel.memory_percent = 35;
  launch.identity.name = "GEMM <a & b>";
  launch.kernel_class = Bottleneck::kCompute;
  launch.points = analysis::PointsOf(launch.kernel, ceilings);
  return launch;
}

TEST(NcuPlotsTest, DrawsWhatThereIsSomethingToDrawOf) {
  NcuFindings findings;
  EXPECT_TRUE(NcuPlots(findings).empty());
  findings.devices.push_back({.name = "A GPU"});
  findings.devices[0].ceilings.flops_per_s[NcuPrecision::kTensor] = 200e12;
  findings.devices[0].ceilings.Of(MemoryLevel::kDram) = 2e12;
  findings.launches.push_back(Gemm(findings.devices[0].ceilings));
  findings.classes.push_back({Bottleneck::kCompute, 1, 1000});
  const std::vector<PlotFile> plots = NcuPlots(findings);
  EXPECT_THAT(NamesOf(plots),
              ElementsAre("roofline_dram.svg", "roofline_dram_normalised.svg",
                          "roofline_l2.svg", "throughputs.svg", "histograms.svg"));
  EXPECT_THAT(plots[0].svg, HasSubstr("1  GEMM &lt;a &amp; b&gt;"));
  EXPECT_THAT(plots[0].svg, HasSubstr("peak tensor: 200 TFLOP/s"));
}

TEST(NcuPlotsTest, DrawsTheCeilingsOfEachGpu) {
  NcuFindings findings = {.devices = {{.name = "Fast"}, {.name = "Slow"}}};
  for (size_t i = 0; i < findings.devices.size(); ++i) {
    analysis::NcuCeilings& ceilings = findings.devices[i].ceilings;
    ceilings.flops_per_s[NcuPrecision::kTensor] = i == 0 ? 200e12 : 100e12;
    ceilings.Of(MemoryLevel::kDram) = 2e12;
    findings.launches.push_back(Gemm(ceilings));
    findings.launches.back().device = i;
  }
  const std::vector<PlotFile> plots = NcuPlots(findings);
  EXPECT_THAT(plots[0].svg, HasSubstr("Roofline, dram, Fast, Slow"));
  EXPECT_THAT(plots[0].svg, HasSubstr("Fast: peak tensor: 200 TFLOP/s"));
  EXPECT_THAT(plots[0].svg, HasSubstr("Slow: peak tensor: 100 TFLOP/s"));
}

TEST(NcuPlotsTest, DrawsWithoutCeilings) {
  NcuFindings findings = {.devices = {{}}};
  findings.launches.push_back(Gemm({}));
  EXPECT_THAT(NamesOf(NcuPlots(findings)),
              ElementsAre("roofline_dram.svg", "roofline_l2.svg", "throughputs.svg",
                          "histograms.svg"));
}

TEST(NcuPlotsTest, DrawsNonsenseWithoutEnd) {
  NcuFindings findings = {.devices = {{}}};
  findings.launches.push_back(Gemm({}));
  NcuLaunchFinding& launch = findings.launches.back();
  launch.kernel.sm_percent = 1e300;
  launch.kernel.duration_ns = 1e-300;
  launch.kernel.waves_per_sm = 1e308;
  launch.points[0].flops_per_s = 1e308;
  launch.points[0].flops_per_byte = 1e-308;
  for (const PlotFile& plot : NcuPlots(findings)) {
    SCOPED_TRACE(plot.name);
    EXPECT_EQ(plot.svg.find("nan"), std::string::npos);
    EXPECT_LT(plot.svg.size(), 1000000U);
  }
}

}  // namespace
}  // namespace ridgeline::report
