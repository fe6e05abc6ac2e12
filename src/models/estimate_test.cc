#include "models/estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/registry.h"
#include "os/files.h"

namespace ridgeline::models {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class EstimateTest : public testing::Test {
 protected:
  EstimateTest()
      : directory_(fs::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~EstimateTest() override { fs::remove_all(directory_); }

  EstimateOptions Demo() const {
    return {.model = "deepseek_ocr",
            .model_path = directory_ / "model",
            .preset = "tiny",
            .preprocess = {.base_size = 256, .image_size = 256, .crop_mode = false},
            .prompt = "<image>\nRead.",
            .max_new_tokens = 8};
  }

  fs::path directory_;
};

TEST_F(EstimateTest, APresetIsTheCheckpointThatWillBeMade) {
  const Result<cost::Estimate> before =
      EstimateSample(Demo(), hardware::DeviceKind::kCpu);
  ASSERT_TRUE(before.ok()) << before.error().message();
  EXPECT_EQ(before.value().model_origin, "preset tiny");
  ASSERT_TRUE(
      FindModel("deepseek_ocr")->create(directory_ / "model", {.preset = "tiny"}).ok());
  const Result<cost::Estimate> after = EstimateSample(Demo(), hardware::DeviceKind::kCpu);
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_THAT(after.value().model_origin, HasSubstr("model/config.json"));
  EXPECT_EQ(after.value().ledger.phase("decode").cost,
            before.value().ledger.phase("decode").cost);
  EXPECT_EQ(after.value().ledger.phase("vision").cost,
            before.value().ledger.phase("vision").cost);
  EXPECT_EQ(after.value().shape.text_tokens(), 7);
}

TEST_F(EstimateTest, TheFirstSampleIsLookedAtIfItIsWanted) {
  EstimateOptions options = Demo();
  options.use_synthetic_inputs = false;
  options.dataset.root = fs::path(RIDGELINE_SOURCE_DIR) / "datasets/samples";
  options.dataset.fallback_patterns = {"*.png", "*.jpg"};
  const Result<cost::Estimate> estimate =
      EstimateSample(options, hardware::DeviceKind::kCpu);
  ASSERT_TRUE(estimate.ok()) << estimate.error().message();
  EXPECT_THAT(estimate.value().page_origin, HasSubstr("datasets/samples/"));
  EXPECT_GT(estimate.value().page.width, 0);
  options.dataset.root = directory_ / "nothing";
  EXPECT_FALSE(EstimateSample(options, hardware::DeviceKind::kCpu).ok());
}

TEST_F(EstimateTest, WidthsAreThoseOfTheDevice) {
  const cost::ByteWidths cpu = WidthsOf(hardware::DeviceKind::kCpu, "bf16", true).value();
  EXPECT_EQ(cpu.weights, 2);
  EXPECT_EQ(cpu.activations, 4);
  EXPECT_EQ(WidthsOf(hardware::DeviceKind::kCpu, "bf16", false).value().weights, 4);
  const cost::ByteWidths gpu =
      WidthsOf(hardware::DeviceKind::kGpu, "fp16", false).value();
  EXPECT_EQ(gpu.weights, 2);
  EXPECT_EQ(gpu.kv, 2);
  EXPECT_EQ(gpu.router_weights, 4);
  EXPECT_EQ(WidthsOf(hardware::DeviceKind::kGpu, "float32", true).value().weights, 4);
}

TEST_F(EstimateTest, SaysWhatIsMissing) {
  EstimateOptions options = Demo();
  options.preset.reset();
  EXPECT_THAT(EstimateSample(options, hardware::DeviceKind::kCpu).error().message(),
              HasSubstr("model.path: no such directory"));
  options.model = "dummy_shallow_resnet";
  EXPECT_THAT(EstimateSample(options, hardware::DeviceKind::kCpu).error().message(),
              HasSubstr("no FLOP ledger for model dummy_shallow_resnet"));
  options = Demo();
  options.device.dtype = "int3";
  EXPECT_FALSE(EstimateSample(options, hardware::DeviceKind::kGpu).ok());
}

}  // namespace
}  // namespace ridgeline::models
