#include "stages/nsys/capabilities.h"

#include <gmock/gmock.h>

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// In the format of nsys' help: a flag alone on its line, its description below.
constexpr char kHelp[] = R"(
usage: nsys profile [<args>] [application] [<application args>]

	-b, --backtrace=

	   Possible values are 'lbr' or 'none'.
	   The default is 'lbr', or 'fp' elsewhere.

	--gpu-metrics-device=

	   A device, or 'none'.

	--nvtx-domain-[include|exclude]=

	   Possible values are a list of domains, with 'default' among them.
	   See '--trace'.

	-s, --sample=

	   Possible values are 'process-tree',
	   'system-wide' or 'none'. What '-s cpu' was.
)";

TEST(NsysFactsTest, ReadsFlagsAndTheirValues) {
  const NsysFacts facts =
      ParseNsysFacts("NVIDIA Nsight Systems version 2022.4.2.1-df9881f\n", kHelp, "");
  EXPECT_EQ(facts.version, "2022.4.2.1-df9881f");
  EXPECT_TRUE(facts.Knows("--sample"));
  EXPECT_TRUE(facts.Knows("--nvtx-domain-include"));
  EXPECT_TRUE(facts.Knows("--nvtx-domain-exclude"));
  EXPECT_FALSE(facts.Knows("--gpu-metrics-devices"));
  EXPECT_TRUE(facts.Knows("--sample", "system-wide"));
  EXPECT_FALSE(facts.Knows("--sample", "cpu-cores"));
  EXPECT_THAT(facts.flags.at("--backtrace"), ElementsAre("lbr", "none"));
  // Without a list of values, any value is accepted.
  EXPECT_TRUE(facts.Knows("--gpu-metrics-device", "0"));
  EXPECT_FALSE(facts.Knows("--absent", "0"));
}

TEST(NsysFactsTest, ReadsTheNamesOfSummaries) {
  const NsysFacts facts = ParseNsysFacts("", "", R"(
The following built-in reports are available:

  cudaapisum -- CUDA API Summary
  gpukernsum[:base|:mangled] -- CUDA GPU Kernel Summary

For more information, use '--help-reports <report_name>'
)");
  EXPECT_THAT(facts.reports, ElementsAre("cudaapisum", "gpukernsum"));
}

TEST(NsysFactsTest, TakesEverythingForKnownIfNothingIsTold) {
  const NsysFacts facts = ParseNsysFacts("", "what is this", "");
  EXPECT_THAT(facts.version, IsEmpty());
  EXPECT_TRUE(facts.Knows("--anything"));
  EXPECT_TRUE(facts.Knows("--anything", "at all"));
  EXPECT_FALSE(facts.HasReport("gpukernsum"));
}

}  // namespace
}  // namespace ridgeline::stages
