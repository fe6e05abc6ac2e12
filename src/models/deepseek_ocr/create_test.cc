#include "models/deepseek_ocr/create.h"

#include <gtest/gtest.h>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/tensor_list.h"
#include "os/files.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

namespace fs = std::filesystem;

class CreateTest : public testing::Test {
 protected:
  ~CreateTest() override { fs::remove_all(directory_); }
  const fs::path directory_ =
      fs::path(testing::TempDir()) / ("create_checkpoint_" + std::to_string(::getpid()));
};

TEST(PresetsTest, AreReadBackFromTheirConfiguration) {
  for (const char* name : {"tiny", "small", "full"}) {
    SCOPED_TRACE(name);
    const Dimensions dimensions = Preset(name).value();
    const Result<Dimensions> read = ParseDimensions(ConfigJson(dimensions), name);
    ASSERT_TRUE(read.ok()) << read.error().message();
    const auto before = TensorList(dimensions);
    const auto after = TensorList(read.value());
    ASSERT_EQ(before.size(), after.size());
    for (size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].name, after[i].name);
      EXPECT_EQ(before[i].shape, after[i].shape);
    }
  }
  EXPECT_FALSE(Preset("huge").has_value());
}

TEST_F(CreateTest, WritesACheckpointThatLoads) {
  const Dimensions tiny = Preset("tiny").value();
  ASSERT_TRUE(CreateCheckpoint(directory_, {.dimensions = tiny, .seed = 1}).ok());
  Result<checkpoints::Checkpoint> opened = checkpoints::Checkpoint::Open(directory_);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  const Status complete = checkpoints::CheckInventory(opened.value(), TensorList(tiny));
  EXPECT_TRUE(complete.ok()) << complete.error().message();
  const Status again = CreateCheckpoint(directory_, {.dimensions = tiny});
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().message().find("already exists; nothing was written"),
            std::string::npos);
}

TEST_F(CreateTest, TheSameSeedGivesTheSameBytes) {
  const Dimensions tiny = Preset("tiny").value();
  std::vector<std::string> files;
  for (const uint64_t seed : {1, 1, 2}) {
    fs::remove_all(directory_);
    ASSERT_TRUE(CreateCheckpoint(directory_, {.dimensions = tiny, .seed = seed}).ok());
    files.push_back(
        os::ReadFile(directory_ / "model-00001-of-000001.safetensors").value());
  }
  EXPECT_EQ(files[0], files[1]);
  EXPECT_NE(files[0], files[2]);
}

TEST(ByteTokenizerTest, EncodesAnyBytesAndTheSpecialTokens) {
  Result<tokenizers::Tokenizer> tokenizer =
      tokenizers::Tokenizer::Parse(ByteTokenizerJson(), "tokenizer.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message();
  const std::string text = "<image>\n<|grounding|>Grüße 1 2";
  const std::vector<int32_t> ids = tokenizer.value().Encode(text);
  EXPECT_EQ(ids.front(), 259);
  EXPECT_EQ(tokenizer.value().Decode(ids), text);
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
