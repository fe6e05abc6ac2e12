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

}  // namespace
}  // namespace ridgeline::cli
