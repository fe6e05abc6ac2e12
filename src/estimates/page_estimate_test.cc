#include "estimates/page_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/presets.h"
#include "os/files.h"

namespace ridgeline::estimates {
namespace {

namespace fs = std::filesystem;
namespace ocr = models::deepseek_ocr;
using testing::HasSubstr;

class PageEstimateTest : public testing::Test {
 protected:
  PageEstimateTest()
      : directory_(fs::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~PageEstimateTest() override { fs::remove_all(directory_); }

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

TEST_F(PageEstimateTest, APresetIsTheCheckpointThatWillBeMade) {
  const Result<PageEstimate> before = EstimatePage(Demo(), hardware::DeviceKind::kCpu);
  ASSERT_TRUE(before.ok()) << before.error().message();
  EXPECT_EQ(before.value().model_origin, "preset tiny");
  ASSERT_TRUE(
      ocr::CreateCheckpoint(directory_ / "model", {.dimensions = *ocr::Preset("tiny")})
          .ok());
  const Result<PageEstimate> after = EstimatePage(Demo(), hardware::DeviceKind::kCpu);
  ASSERT_TRUE(after.ok()) << after.error().message();
  EXPECT_THAT(after.value().model_origin, HasSubstr("model/config.json"));
  EXPECT_EQ(after.value().ledger.decode.cost, before.value().ledger.decode.cost);
  EXPECT_EQ(after.value().ledger.vision.cost, before.value().ledger.vision.cost);
  EXPECT_EQ(after.value().shapes.text_tokens, 7);
}

TEST_F(PageEstimateTest, TheFirstSampleIsLookedAtIfItIsWanted) {
  EstimateOptions options = Demo();
  options.use_synthetic_inputs = false;
  options.dataset.root = fs::path(RIDGELINE_SOURCE_DIR) / "datasets/samples";
  options.dataset.fallback_patterns = {"*.png", "*.jpg"};
  const Result<PageEstimate> estimate = EstimatePage(options, hardware::DeviceKind::kCpu);
  ASSERT_TRUE(estimate.ok()) << estimate.error().message();
  EXPECT_THAT(estimate.value().page_origin, HasSubstr("datasets/samples/"));
  EXPECT_GT(estimate.value().page.width, 0);
  options.dataset.root = directory_ / "nothing";
  EXPECT_FALSE(EstimatePage(options, hardware::DeviceKind::kCpu).ok());
}

TEST_F(PageEstimateTest, WidthsAreThoseOfTheDevice) {
  const ocr::ByteWidths cpu = WidthsOf(hardware::DeviceKind::kCpu, "bf16", true).value();
  EXPECT_EQ(cpu.weights, 2);
  EXPECT_EQ(cpu.activations, 4);
  EXPECT_EQ(WidthsOf(hardware::DeviceKind::kCpu, "bf16", false).value().weights, 4);
  const ocr::ByteWidths gpu = WidthsOf(hardware::DeviceKind::kGpu, "fp16", false).value();
  EXPECT_EQ(gpu.weights, 2);
  EXPECT_EQ(gpu.kv, 2);
  EXPECT_EQ(gpu.router_weights, 4);
  EXPECT_EQ(WidthsOf(hardware::DeviceKind::kGpu, "float32", true).value().weights, 4);
}

TEST_F(PageEstimateTest, SaysWhatIsMissing) {
  EstimateOptions options = Demo();
  options.preset.reset();
  EXPECT_THAT(EstimatePage(options, hardware::DeviceKind::kCpu).error().message(),
              HasSubstr("model.path: no such directory"));
  options.model = "dummy_shallow_resnet";
  EXPECT_THAT(EstimatePage(options, hardware::DeviceKind::kCpu).error().message(),
              HasSubstr("no FLOP ledger for model dummy_shallow_resnet"));
  options = Demo();
  options.device.dtype = "int3";
  EXPECT_FALSE(EstimatePage(options, hardware::DeviceKind::kGpu).ok());
}

}  // namespace
}  // namespace ridgeline::estimates
