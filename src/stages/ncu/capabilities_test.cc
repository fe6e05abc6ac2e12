#include "stages/ncu/capabilities.h"

#include <gmock/gmock.h>

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;

// In the format of ncu's output.
const NcuAnswers kAnswers = {
    .version =
        "NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2022.3.0.0 "
        "(build 31729285) (public-release)\n",
    .help = R"(Usage: ncu [options] [program]
General Options:
  -h [ --help ]                         Print this.
Profile Options:
  --replay-mode arg (=kernel)           How kernels are replayed, of these
                                        kinds:
                                          kernel (default)
                                          (Each by itself; see
                                           --cache-control.)
                                          application
                                          (The program as a whole.)
                                          range
  --filter-mode arg (=global)           Of these:
                                           global (default): all together
                                           per-gpu         : each device
                                           per-launch-config: each size
  -k [ --kernel-name ] arg              A name
)",
    .sets = R"(---------- ---------------- ------- -----------------
Identifier Sections         Enabled Estimated Metrics
---------- ---------------- ------- -----------------
default    LaunchStats, Occ yes     45
           upancy
roofline   SpeedOfLight     no      50
)",
    .sections = R"(----------- ------------ -------
Identifier  Display Name Enabled
----------- ------------ -------
LaunchStats Launches     yes
)",
    .metrics = R"(Chip ga102
------------- -----------
Metric Name   Metric Type
------------- -----------
dram__bytes   Counter
sm__throughput Throughput
)"};

TEST(NcuFactsTest, ReadsWhatThereIs) {
  const NcuFacts facts = ParseNcuFacts(kAnswers);
  EXPECT_EQ(facts.version, "2022.3.0.0");
  EXPECT_THAT(facts.flags,
              ElementsAre("--filter-mode", "--help", "--kernel-name", "--replay-mode"));
  EXPECT_THAT(facts.replay_modes, ElementsAre("application", "kernel", "range"));
  EXPECT_THAT(facts.filter_modes, ElementsAre("global", "per-gpu", "per-launch-config"));
  EXPECT_THAT(facts.sets, ElementsAre("default", "roofline"));
  EXPECT_THAT(facts.sections, ElementsAre("LaunchStats"));
  EXPECT_EQ(facts.set_metrics.at("default"), 45);
  EXPECT_EQ(facts.EstimatedPasses("roofline", 1, 4), 9);
  EXPECT_EQ(facts.EstimatedPasses("", 0, 0), 1);
}

TEST(NcuFactsTest, KnowsCountersAndTakesTheRestOnTrust) {
  const NcuFacts facts = ParseNcuFacts(kAnswers);
  for (const char* known : {"dram__bytes.sum", "sm__throughput.avg.pct_of_peak_sustained",
                            "launch__grid_size", "group:memory__chart", "regex:sm__.*"}) {
    EXPECT_TRUE(facts.KnowsMetric(known)) << known;
  }
  for (const char* unknown : {"flop_count_hp", "dram__byte.sum"}) {
    EXPECT_FALSE(facts.KnowsMetric(unknown)) << unknown;
  }
}

TEST(NcuFactsTest, TakesEverythingForKnownIfNothingIsTold) {
  const NcuFacts facts = ParseNcuFacts({});
  EXPECT_TRUE(NcuFacts::Knows(facts.sections, "Anything"));
  EXPECT_TRUE(facts.KnowsMetric("flop_count_hp"));
  EXPECT_EQ(facts.Name(), "this ncu");
}

}  // namespace
}  // namespace ridgeline::stages
