#include "stages/ncu.h"

#include <gtest/gtest.h>

namespace ridgeline::stages {
namespace {

TEST(BuildNcuCommandTest, MapsEachOptionToItsFlag) {
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
    const os::Command workload = {.argv = {"./a"}, .environment = {}, .directory = {}};
    EXPECT_EQ(BuildNcuCommand(c.options, workload, "out").ToShellString(),
              std::string("ncu ") + c.want + "--force-overwrite -o out ./a");
  }
}

}  // namespace
}  // namespace ridgeline::stages
