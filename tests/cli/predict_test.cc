// `ridgeline predict` as it explains itself; what it predicts is in tests/run.
#include <gtest/gtest.h>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

TEST(PredictCli, ExplainsItself) {
  ExpectGolden("predict_help",
               Transcript({"predict", "--help"}, RunProgram({"predict", "--help"})));
  ExpectGolden("predict_without_device",
               Transcript({"predict"}, RunProgram({"predict"})));
}

TEST(PredictCli, SuggestsAGpuOnlyIfTheNameIsUnknown) {
  struct Case {
    const char* name;
    const char* gpu;
  };
  const Case cases[] = {{"predict_ambiguous", "A100"}, {"predict_unknown", "H1000"}};
  for (const Case& c : cases) {
    const std::vector<std::string> arguments = {"predict", "--on", c.gpu};
    ExpectGolden(c.name, Transcript(arguments, RunProgram(arguments)));
  }
}

}  // namespace
}  // namespace ridgeline::cli
