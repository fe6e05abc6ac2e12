#include "stages/nsys.h"

#include <gtest/gtest.h>

namespace ridgeline::stages {
namespace {

os::Command Python() {
  return {.argv = {"python", "run.py"}, .environment = {}, .directory = {}};
}

TEST(BuildNsysCommandTest, MapsEachOptionToItsFlag) {
  struct Case {
    const char* what;
    NsysOptions options;
    const char* want;
  };
  const Case cases[] = {
      {"defaults", {}, "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none"},
      {"sampling",
       {.sample = "cpu", .cpuctxsw = "process-tree"},
       "--trace=cuda,nvtx,osrt --sample=cpu --cpuctxsw=process-tree"},
      {"range end without a range is not passed",
       {.capture_range_end = "stop"},
       "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none"},
      {"a gate never ends the program unasked",
       {.capture_range = "nvtx", .nvtx_capture = "decode@*"},
       "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none --capture-range=nvtx "
       "'--nvtx-capture=decode@*' --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 "
       "--capture-range-end=stop"},
      {"a gate with its own end",
       {.capture_range = "nvtx", .capture_range_end = "repeat:2", .nvtx_capture = "a"},
       "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none --capture-range=nvtx "
       "--nvtx-capture=a --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 "
       "--capture-range-end=repeat:2"},
      {"gating off",
       {.gating_nvtx = false, .capture_range = "nvtx", .nvtx_capture = "a"},
       "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none"},
      {"gating off says nothing of other ranges",
       {.gating_nvtx = false, .capture_range = "cudaProfilerApi"},
       "--trace=cuda,nvtx,osrt --sample=none --cpuctxsw=none "
       "--capture-range=cudaProfilerApi --capture-range-end=stop"},
      {"the rest",
       {.trace = {"nvtx"},
        .nvtx_domain_include = {"a", "b"},
        .cuda_graph_trace = "node",
        .gpu_metrics = {"0"}},
       "--trace=nvtx --sample=none --cpuctxsw=none --nvtx-domain-include=a,b "
       "--cuda-graph-trace=node --gpu-metrics-device=0"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(BuildNsysCommand(c.options, Python(), "out").ToShellString(),
              std::string("nsys profile ") + c.want +
                  " --force-overwrite=true -o out python run.py");
  }
}

TEST(BuildNsysCommandTest, KeepsTheWorkloadsVariablesAndDirectory) {
  os::Command workload = Python();
  workload.environment = {{"A", "b"}};
  workload.directory = "/data";
  const os::Command command = BuildNsysCommand({}, workload, "out");
  EXPECT_EQ(command.environment, workload.environment);
  EXPECT_EQ(command.directory, workload.directory);
}

}  // namespace
}  // namespace ridgeline::stages
