#include "stages/ncu/command.h"

#include <gmock/gmock.h>

#include "config/tree/build.h"
#include "config/tree/select.h"
#include "config/tree/workspace.h"
#include "config/value/yaml_load.h"
#include "os/files.h"
#include "os/testing/golden.h"
#include "pipeline/testing/no_tools.h"

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

os::Command Program() { return {.argv = {"./a"}, .environment = {}, .directory = {}}; }

TEST(NcuCommandTest, MapsEachOptionToItsFlag) {
  struct Case {
    const char* what;
    NcuOptions options;
    const char* want;
  };
  const Case cases[] = {
      {"least", {.target_processes = ""}, ""},
      {"ranges, one flag each",
       {.nvtx_include = {"decode/", "LLM@a/"}},
       "--target-processes all --nvtx --nvtx-include decode/ --nvtx-include LLM@a/ "},
      {"gating off",
       {.gating_nvtx = false, .nvtx_include = {"decode/"}},
       "--target-processes all "},
      {"what is collected",
       {.replay_mode = "kernel",
        .set = "roofline",
        .sections = {"A", "B"},
        .metrics = {"x.sum", "y.avg"}},
       "--target-processes all --replay-mode kernel --set roofline --section A "
       "--section B --metrics x.sum,y.avg "},
      {"which kernels",
       {.kernel_name = "regex:gemm|attn",
        .kernel_name_base = "demangled",
        .launch_skip = 0,
        .launch_count = 5},
       "--target-processes all --kernel-name 'regex:gemm|attn' --kernel-name-base "
       "demangled --launch-skip 0 --launch-count 5 "},
      {"control",
       {.clock_control = "none", .cache_control = "all"},
       "--target-processes all --clock-control none --cache-control all "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(BuildNcuCommand(c.options, {}, Program(), "out").command.ToShellString(),
              std::string("ncu ") + c.want + "--force-overwrite -o out ./a");
  }
}

TEST(NcuCommandTest, TellsNcuOfPushPopRanges) {
  for (const auto& [given, want] : {std::pair("decode", "decode/"),
                                    {"decode*", "regex:decode.*/"},
                                    {"decode*/", "regex:decode.*/"},
                                    {"LLM@decode*", "regex:LLM@decode.*/"},
                                    {"de*de", "regex:de.*de/"},
                                    {"v1.5*", "regex:v1\\.5.*/"},
                                    {"*", "regex:.*/"},
                                    {"outer/*/inner", "outer/*/inner"},
                                    {"decode/", "decode/"},
                                    {"LLM@decode/", "LLM@decode/"},
                                    {"LLM@request", "LLM@request"},
                                    {"decode]", "decode]"},
                                    {"[outer/*/inner", "[outer/*/inner"},
                                    {"regex:de.*/", "regex:de.*/"}}) {
    EXPECT_EQ(NvtxFilter(given), want);
  }
}

// Sections and sets of two generations, as far as used by presets.
NcuFacts Generation(int year) {
  NcuFacts facts;
  facts.version = year == 2022 ? "2022.3.0" : "2025.1.0";
  for (const char* flag :
       {"--target-processes", "--replay-mode", "--nvtx-include", "--set", "--section",
        "--metrics", "--kernel-name", "--kernel-name-base", "--launch-skip",
        "--launch-count", "--clock-control", "--cache-control"}) {
    facts.flags.insert(flag);
  }
  facts.replay_modes = {"kernel", "application", "range"};
  facts.sets = {"detailed", "full", "roofline", "source"};
  facts.sections = {"SpeedOfLight",   "MemoryWorkloadAnalysis",  "Occupancy",
                    "SchedulerStats", "ComputeWorkloadAnalysis", "WarpStateStats",
                    "LaunchStats",    "InstructionStats"};
  if (year == 2022) {
    facts.sets.insert("default");
  } else {
    facts.sets.insert("basic");
    facts.sections.insert("WorkloadDistribution");
    facts.replay_modes.insert("app-range");
  }
  return facts;
}

NcuOptions Preset(const std::string& name) {
  const std::string path =
      std::string(RIDGELINE_SOURCE_DIR) + "/conf/profiling/ncu/" + name + ".yaml";
  config::Workspace workspace({});
  config::Node* root =
      config::CreateRoot(workspace,
                         config::LoadYaml(os::ReadFile(path).value(), path).value(),
                         std::make_shared<const std::string>(path))
          .value();
  pipeline::NoTools tools;
  return ReadNcuOptions({workspace, *root, *root, tools}).value();
}

TEST(NcuCommandTest, MakesTheCommandOfEachPresetForEachGeneration) {
  std::string text;
  for (const char* preset : {"ncu.default", "ncu.high", "ncu.rtx3090",
                             "ncu.rtx3090.compute", "ncu.rtx3090.memory"}) {
    for (const int year : {2022, 2025}) {
      const NcuCommand built =
          BuildNcuCommand(Preset(preset), Generation(year), Program(), "run");
      text += std::string("# ") + preset + ", " + Generation(year).Name() + "\n" +
              built.command.ToShellString() + "\n";
      for (const std::string& change : built.changes) text += "  " + change + "\n";
      text += "\n";
    }
  }
  os::ExpectGolden("ncu/commands.txt", text);
}

TEST(NcuCommandTest, LeavesOutWhatAnNcuLacksWithOneWarning) {
  NcuFacts facts = Generation(2022);
  facts.metrics = {"sm__throughput"};
  const NcuCommand built =
      BuildNcuCommand({.set = "bogus",
                       .sections = {"Occupancy", "PmSampling"},
                       .metrics = {"flop_count_hp", "sm__throughput.avg"}},
                      facts, Program(), "run");
  EXPECT_THAT(built.changes, ElementsAre("omitted, not supported by ncu 2022.3.0: set "
                                         "bogus, PmSampling, flop_count_hp"));
  EXPECT_THAT(built.command.ToShellString(),
              HasSubstr("--section Occupancy --metrics sm__throughput.avg "));
}

TEST(NcuCommandTest, KnowsThatASetWasRenamed) {
  EXPECT_THAT(BuildNcuCommand({.set = "basic"}, Generation(2022), Program(), "run")
                  .command.ToShellString(),
              HasSubstr("--set default "));
  EXPECT_THAT(BuildNcuCommand({.set = "default"}, Generation(2025), Program(), "run")
                  .command.ToShellString(),
              HasSubstr("--set basic "));
}

TEST(NcuCommandTest, RefusesAReplayModeThatIsNotThere) {
  const NcuOptions options = {.replay_mode = "app-range"};
  EXPECT_THAT(BuildNcuCommand(options, Generation(2022), Program(), "run").impossible,
              HasSubstr("ToolTooOld: ncu 2022.3.0 has no --replay-mode app-range"));
  EXPECT_THAT(BuildNcuCommand(options, Generation(2025), Program(), "run").impossible,
              IsEmpty());
}

}  // namespace
}  // namespace ridgeline::stages
