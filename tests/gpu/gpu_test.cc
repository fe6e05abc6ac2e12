// What only a machine with an NVIDIA GPU can show: `ctest --preset gpu`. Elsewhere each
// test is skipped.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OnAGpu : public Playground {
 protected:
  void SetUp() override {
    if (!fs::exists("/proc/driver/nvidia")) GTEST_SKIP() << "no NVIDIA GPU";
  }
  // Of the demo on the first GPU; the build may have a libtorch without CUDA.
  ProgramEnd Demo(std::vector<std::string> more) {
    std::vector<std::string> arguments = {"run", "+preset=demo", "hydra.run.dir=out",
                                          "device=cuda:0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
};

TEST_F(OnAGpu, DoctorFindsIt) {
  const ProgramEnd end = Ridgeline({"doctor", "--json"});
  const auto answer = nlohmann::json::parse(end.out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded()) << end.out;
  EXPECT_THAT(end.out, HasSubstr("NVIDIA"));
}

TEST_F(OnAGpu, NsysCapturesKernelsOfTheModel) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const ProgramEnd end = Demo({"pipeline.nsys.enable=true"});
  if (end.err.find("without CUDA") != std::string::npos) {
    GTEST_SKIP() << "this libtorch has no CUDA";
  }
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ManifestOf(directory() / "out").Find("nsys")->outcome, "Captured");
  const auto kernels = RowsOf(directory() / "out/results.sqlite",
                              "SELECT 'kernels', count(*) FROM kernel");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_GT(kernels[0].second, 0);
}

TEST_F(OnAGpu, NcuMeasuresKernelsOfTheModel) {
  if (!IsInstalled("ncu")) GTEST_SKIP() << "ncu is not installed";
  const ProgramEnd end = Demo({"pipeline.nsys.enable=true", "pipeline.ncu.enable=true",
                               "pipeline.ncu.plan.budget_s=60"});
  if (end.err.find("without CUDA") != std::string::npos) {
    GTEST_SKIP() << "this libtorch has no CUDA";
  }
  if (end.err.find("PermissionDenied") != std::string::npos) {
    GTEST_SKIP() << "GPU performance counters are restricted to administrators";
  }
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ManifestOf(directory() / "out").Find("ncu")->outcome, "Profiled");
}

}  // namespace
}  // namespace ridgeline::run
