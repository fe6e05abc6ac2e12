#include "stages/nsys/command.h"

#include <gmock/gmock.h>

#include "os/testing/golden.h"

namespace ridgeline::stages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

os::Command Python() {
  return {.argv = {"python", "run.py"}, .environment = {}, .directory = {}};
}

std::string LineOf(const NsysOptions& options, const NsysFacts& facts = {}) {
  const std::string label =
      options.nvtx_capture.empty() ? "" : options.nvtx_capture.front();
  return BuildNsysCommand(options, facts, label, Python(), "out").command.ToShellString();
}

TEST(NsysCommandTest, MapsEachOptionToItsFlag) {
  struct Case {
    const char* what;
    NsysOptions options;
    const char* want;
  };
  const Case cases[] = {
      {"defaults", {}, "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary"},
      {"sampling",
       {.sample = "process-tree", .cpuctxsw = "process-tree"},
       "--trace=cuda,nvtx --sample=process-tree --cpuctxsw=process-tree --wait=primary"},
      {"range end without a range is not passed",
       {.capture_range_end = "stop"},
       "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary"},
      {"a gate without an end",
       {.capture_range = "nvtx", .nvtx_capture = {"decode@*"}},
       "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary "
       "--capture-range=nvtx "
       "'--nvtx-capture=decode@*' --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0"},
      {"a gate with its own end",
       {.capture_range = "nvtx", .capture_range_end = "repeat:2", .nvtx_capture = {"a"}},
       "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary "
       "--capture-range=nvtx "
       "--nvtx-capture=a --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 "
       "--capture-range-end=repeat:2"},
      {"gating off",
       {.gating_nvtx = false, .capture_range = "nvtx", .nvtx_capture = {"a"}},
       "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary"},
      {"gating off says nothing of other ranges",
       {.gating_nvtx = false,
        .capture_range = "cudaProfilerApi",
        .capture_range_end = "stop"},
       "--trace=cuda,nvtx --sample=none --cpuctxsw=none --wait=primary "
       "--capture-range=cudaProfilerApi --capture-range-end=stop"},
      {"the rest",
       {.trace = {"nvtx"},
        .nvtx_domain_include = {"a", "b"},
        .cuda_graph_trace = "node",
        .gpu_metrics = {"0"}},
       "--trace=nvtx --sample=none --cpuctxsw=none --wait=primary "
       "--nvtx-domain-include=a,b "
       "--cuda-graph-trace=node --gpu-metrics-devices=0"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(LineOf(c.options), std::string("nsys profile ") + c.want +
                                     " --force-overwrite=true -o out python run.py");
  }
}

TEST(NsysCommandTest, WaitsForTheProgramUnlessToldOtherwise) {
  for (const std::vector<std::string>& own :
       std::vector<std::vector<std::string>>{{"--wait=all"}, {"--wait", "all"}}) {
    EXPECT_THAT(LineOf({.extra_args = own}), testing::Not(HasSubstr("--wait=primary")));
  }
}

// The relevant flags in the user guides of these versions.
NsysFacts Version(const std::string& version) {
  NsysFacts facts;
  facts.version = version;
  for (const char* flag : {"--trace", "--capture-range", "--nvtx-capture", "--env-var",
                           "--wait", "--force-overwrite"}) {
    facts.flags[flag];
  }
  const int year = std::stoi(version);
  facts.flags["--sample"] =
      year < 2022 ? std::set<std::string>{"cpu", "none"}
                  : std::set<std::string>{"process-tree", "system-wide", "none"};
  if (year < 2021) {
    facts.flags["--stop-on-range-end"] = {"true", "false"};
    facts.reports = {"gpukernsum", "cudaapisum", "gpumemtimesum", "gpumemsizesum"};
    return facts;
  }
  for (const char* flag : {"--capture-range-end", "--cpuctxsw", "--nvtx-domain-include",
                           "--nvtx-domain-exclude"}) {
    facts.flags[flag];
  }
  facts.reports = {"gpukernsum", "cudaapisum",    "gpumemtimesum", "gpumemsizesum",
                   "nvtxsum",    "gpukernsum_ex", "osrtsum"};
  facts.flags[year < 2024 ? "--gpu-metrics-device" : "--gpu-metrics-devices"];
  if (year >= 2022) facts.flags["--cuda-graph-trace"] = {"graph", "node"};
  if (year >= 2023) {
    facts.reports = {"cuda_gpu_kern_sum",     "cuda_api_sum", "cuda_gpu_mem_time_sum",
                     "cuda_gpu_mem_size_sum", "nvtx_sum",     "osrt_sum"};
  }
  return facts;
}

// One request for five generations of nsys.
TEST(NsysCommandTest, SpeaksTheLanguageOfEachVersion) {
  NsysOptions gated = {.sample = "process-tree",
                       .capture_range = "nvtx",
                       .capture_range_end = "stop",
                       .nvtx_capture = {"decode@*"},
                       .cuda_graph_trace = "node",
                       .gpu_metrics = {"0", "1"}};
  NsysOptions repeated = gated;
  repeated.capture_range_end = "repeat:2";
  NsysOptions ended = gated;
  ended.capture_range_end = "stop-shutdown";
  std::string text;
  for (const char* version :
       {"2020.3.4", "2021.3.2", "2022.4.2", "2023.4.4", "2024.6.1", "2025.5.1"}) {
    const NsysFacts facts = Version(version);
    text += std::string("# nsys ") + version + "\n";
    for (const NsysOptions& options : {NsysOptions(), gated, repeated, ended}) {
      const NsysCommand built = BuildNsysCommand(
          options, facts, options.IsGated() ? "decode@*" : "", Python(), "run");
      if (!built.impossible.empty()) {
        text += "impossible: " + built.impossible + "\n";
        continue;
      }
      text += built.command.ToShellString() + "\n";
      for (const std::string& change : built.changes) text += "  " + change + "\n";
    }
    const std::vector<NsysSummary> summaries = NsysSummaries(facts);
    text += BuildNsysStats("run.sqlite", summaries, "summary").ToShellString() + "\n\n";
  }
  os::ExpectGolden("nsys/commands.txt", text);
}

TEST(NsysCommandTest, LeavesOutWhatAnNsysLacksAndSaysSo) {
  const NsysCommand built = BuildNsysCommand({.cuda_graph_trace = "node"},
                                             Version("2021.3"), "", Python(), "o");
  EXPECT_THAT(built.command.ToShellString(),
              testing::Not(HasSubstr("--cuda-graph-trace")));
  EXPECT_THAT(built.changes,
              ElementsAre("--cuda-graph-trace omitted: not supported by nsys 2021.3"));
}

TEST(NsysCommandTest, RefusesToRepeatWithAnOldNsys) {
  const NsysCommand built = BuildNsysCommand(
      {.capture_range = "nvtx", .capture_range_end = "repeat", .nvtx_capture = {"a"}},
      Version("2020.3"), "a", Python(), "o");
  EXPECT_THAT(built.impossible, HasSubstr("ToolTooOld: nsys 2020.3"));
}

TEST(NsysCommandTest, KeepsTheWorkloadsVariablesAndDirectory) {
  os::Command workload = Python();
  workload.environment = {{"A", "b"}};
  workload.directory = "/data";
  const os::Command command = BuildNsysCommand({}, {}, "", workload, "out").command;
  EXPECT_EQ(command.environment, workload.environment);
  EXPECT_EQ(command.directory, workload.directory);
}

TEST(NsysCommandTest, AsksForNoSummaryThatIsNotThere) {
  EXPECT_THAT(NsysSummaries({}), IsEmpty());
}

}  // namespace
}  // namespace ridgeline::stages
