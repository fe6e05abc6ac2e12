// `ridgeline ncu-kernels` as it explains itself; what it does is in tests/run.
#include <gtest/gtest.h>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

TEST(NcuKernelsCli, ExplainsItself) {
  struct Case {
    const char* golden;
    std::vector<std::string> arguments;
  };
  const Case cases[] = {
      {"ncu_kernels_help", {"ncu-kernels", "--help"}},
      {"ncu_kernels_without_kernels", {"ncu-kernels", "--", "true"}},
      {"ncu_kernels_without_application", {"ncu-kernels", "--kernel-regex", "gemm"}},
      {"ncu_kernels_no_file",
       {"ncu-kernels", "--kernel-config", "nowhere.yaml", "--", "true"}},
      {"ncu_kernels_unknown_flag", {"ncu-kernels", "--kernel-regx", "a", "--", "true"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.golden);
    ExpectGolden(c.golden, Transcript(c.arguments, RunProgram(c.arguments)));
  }
}

}  // namespace
}  // namespace ridgeline::cli
