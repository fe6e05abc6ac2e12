#include "models/deepseek_ocr/dimensions.h"

#include <gtest/gtest.h>

#include "models/deepseek_ocr/tensor_list.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

int64_t Parameters(const Dimensions& dimensions) {
  int64_t total = 0;
  for (const checkpoints::ExpectedTensor& tensor : TensorList(dimensions)) {
    int64_t count = 1;
    for (const int64_t side : tensor.shape) count *= side;
    total += count;
  }
  return total;
}

TEST(DimensionsTest, OfAnEmptyConfigurationAreThoseOfTheModelItself) {
  const Result<Dimensions> dimensions = ParseDimensions("{}", "config.json");
  ASSERT_TRUE(dimensions.ok()) << dimensions.error().message();
  // Published with the checkpoint: 2,710 tensors, 3,336,106,240 parameters.
  EXPECT_EQ(TensorList(dimensions.value()).size(), 2710u);
  EXPECT_EQ(Parameters(dimensions.value()), 3'336'106'240);
}

TEST(DimensionsTest, AreReadFromTheTopLevelAndTheVisionPart) {
  const Result<Dimensions> dimensions = ParseDimensions(
      R"({"hidden_size": 64, "num_attention_heads": 4, "language_config": {"hidden_size": 7},
          "vision_config": {"width": {"sam_vit_b": {"width": 32, "heads": 4, "layers": 4,
            "global_attn_indexes": [1, 3], "downsample_channels": [32, 48],
            "out_chans": 24}, "clip-l-14-224": {"width": 48, "heads": 4}}},
          "projector_config": {"input_dim": 96}})",
      "config.json");
  ASSERT_TRUE(dimensions.ok()) << dimensions.error().message();
  EXPECT_EQ(dimensions.value().decoder.hidden, 64);
  EXPECT_EQ(dimensions.value().decoder.kv_heads, 4);
  EXPECT_EQ(dimensions.value().sam.neck_width, 24);
  EXPECT_TRUE(dimensions.value().sam.IsGlobal(3));
  EXPECT_FALSE(dimensions.value().sam.IsGlobal(2));
  EXPECT_EQ(dimensions.value().clip.width, 48);
}

TEST(DimensionsTest, RefusesWhatDoesNotFit) {
  struct Case {
    const char* json;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "config.json: not a JSON object"},
      {"{", "config.json: not a JSON object"},
      {R"({"hidden_size": "64"})",
       "config.json: hidden_size: expected an integer from 1 to 16777216"},
      {R"({"hidden_size": 0})",
       "config.json: hidden_size: expected an integer from 1 to 16777216"},
      {R"({"hidden_size": 1e300})",
       "config.json: hidden_size: expected an integer from 1 to 16777216"},
      {R"({"num_hidden_layers": 16777216})",
       "config.json: num_hidden_layers: expected an integer from 1 to 4096"},
      {R"({"num_attention_heads": 3})",
       "config.json: num_attention_heads: 3 does not divide hidden_size (1280)"},
      {R"({"num_experts_per_tok": 65})",
       "config.json: num_experts_per_tok: is more than n_routed_experts"},
      {R"({"use_mla": true})", "config.json: use_mla: true is not supported"},
      {R"({"projector_config": {"input_dim": 5}})",
       "config.json: projector_config/input_dim: is 5, but CLIP and SAM give 2048"},
      {R"({"rope_theta": -1})", "config.json: rope_theta: expected a number above 0"},
      {R"({"vision_config": {"width": {"sam_vit_b": {"global_attn_indexes": "2"}}}})",
       "config.json: vision_config/width/sam_vit_b/global_attn_indexes: expected a list "
       "of integers"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.json);
    const Result<Dimensions> dimensions = ParseDimensions(c.json, "config.json");
    ASSERT_FALSE(dimensions.ok());
    EXPECT_EQ(dimensions.error().message(), c.message);
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
