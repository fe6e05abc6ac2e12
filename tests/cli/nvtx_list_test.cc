// `ridgeline nvtx-list` as it explains itself; what it lists is in tests/run.
#include <gtest/gtest.h>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

TEST(NvtxListCli, ExplainsItself) {
  struct Case {
    const char* golden;
    std::vector<std::string> arguments;
  };
  const Case cases[] = {
      {"nvtx_list_help", {"nvtx-list", "--help"}},
      {"nvtx_list_without_program", {"nvtx-list"}},
      {"nvtx_list_without_dashes", {"nvtx-list", "true"}},
      {"nvtx_list_bad_timeout", {"nvtx-list", "--timeout", "-1", "--", "true"}},
      {"nvtx_list_bad_expression", {"nvtx-list", "--expression", "a@b@c", "--", "true"}},
      {"nvtx_list_unknown_flag", {"nvtx-list", "--expresion", "a", "--", "true"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.golden);
    ExpectGolden(c.golden, Transcript(c.arguments, RunProgram(c.arguments)));
  }
}

}  // namespace
}  // namespace ridgeline::cli
