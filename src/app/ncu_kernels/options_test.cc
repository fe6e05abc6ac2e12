#include "app/ncu_kernels/options.h"

#include <gmock/gmock.h>

namespace ridgeline::app {
namespace {

using testing::ElementsAre;

Result<NcuKernelsOptions> Read(const std::vector<std::string>& arguments,
                               std::vector<std::string> application = {"app"}) {
  RIDGELINE_TRY(const ParsedFlags flags, ParseFlags(NcuKernelsFlags(), arguments));
  return ReadNcuKernelsOptions(flags, std::move(application));
}

TEST(NcuKernelsOptions, HasTheDefaultsOfTheEarlierScript) {
  const auto options = Read({"--kernel-regex", "gemm"});
  ASSERT_TRUE(options.ok()) << options.error().message();
  EXPECT_THAT(options.value().regexes, ElementsAre("gemm"));
  EXPECT_THAT(options.value().sections,
              ElementsAre("SpeedOfLight", "MemoryWorkloadAnalysis", "Occupancy",
                          "SchedulerStats"));
  EXPECT_EQ(options.value().skip, 200);
  EXPECT_EQ(options.value().count, 1);
  EXPECT_FALSE(options.value().run_per_kernel);
  EXPECT_FALSE(options.value().force_overwrite);
}

TEST(NcuKernelsOptions, TakesSeveralValues) {
  const auto options =
      Read({"--kernel-regex", "a", "--extra-sections", "LaunchStats", "Occupancy",
            "SourceCounters", "--kernel-regex=b=c", "--num-kernel-call-skip", "0",
            "--extra-sections=Nvlink", "--num-kernel-call-profile=3"});
  ASSERT_TRUE(options.ok()) << options.error().message();
  EXPECT_THAT(options.value().regexes, ElementsAre("a", "b=c"));
  EXPECT_THAT(options.value().sections,
              ElementsAre("SpeedOfLight", "MemoryWorkloadAnalysis", "Occupancy",
                          "SchedulerStats", "LaunchStats", "SourceCounters", "Nvlink"));
  EXPECT_EQ(options.value().skip, 0);
  EXPECT_EQ(options.value().count, 3);
}

TEST(NcuKernelsOptions, SaysWhatIsWrong) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{}, "ncu-kernels needs either --kernel-config or --kernel-regex"},
      {{"--kernel-regex", "a", "--kernel-config", "k.yaml"},
       "ncu-kernels needs either --kernel-config or --kernel-regex"},
      {{"--kernel-regex="}, "flag --kernel-regex needs a value"},
      {{"--kernel-config="}, "flag --kernel-config needs a value"},
      {{"--kernel-regex", "a", "--topk", "3"}, "flag --top needs --kernel-config"},
      {{"--kernel-config", "k", "--topk", "0"},
       "flag --top: expected an integer from 1 to 1000000000, got '0'"},
      {{"--kernel-regex", "a", "--num-kernel-call-skip", "-1"},
       "flag --num-kernel-call-skip: expected an integer from 0 to 1000000000, got '-1'"},
      {{"--kernel-regex", "a", "--num-kernel-call-profile", "all"},
       "flag --num-kernel-call-profile: expected an integer from 1 to 1000000000, got "
       "'all'"},
      {{"--kernel-regex", "a", "--extra-sections"},
       "flag --extra-sections needs a value"},
      {{"--kernel-regex", "a", "--extra-sections", "../x"},
       "flag --extra-sections: '../x' is not a section identifier; see ncu "
       "--list-sections"},
      {{"--kernel-regex", "a", "--one-run", "--run-per-kernel"},
       "flags --one-run and --run-per-kernel are mutually exclusive"},
      {{"--kernel-regex", "a", "app"},
       "unexpected argument 'app'; put the application after --"},
  };
  for (const Case& c : cases) {
    const auto options = Read(c.arguments);
    ASSERT_FALSE(options.ok()) << c.message;
    EXPECT_EQ(options.error().message(), c.message);
  }
  EXPECT_FALSE(Read({"--kernel-regex", "a"}, {}).ok());
}

}  // namespace
}  // namespace ridgeline::app
