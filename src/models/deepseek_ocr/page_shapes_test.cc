#include "models/deepseek_ocr/page_shapes.h"

#include <gtest/gtest.h>

#include "models/deepseek_ocr/create.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Count;

tokenizers::Tokenizer ByteTokenizer() {
  return tokenizers::Tokenizer::Parse(ByteTokenizerJson(), "tokenizer.json").value();
}

SampleShape ShapesOf(const SampleRequest& request) {
  return ShapesOfRequest(*Preset("full"), ByteTokenizer(), request).value();
}

TEST(PageShapes, AreThoseOfThePage) {
  struct Case {
    const char* what;
    cost::ImageSize page;
    PreprocessOptions preprocess;
    int crops;
    int64_t image_tokens;
    int64_t global_side;
  };
  const Case cases[] = {
      {"a letter", cost::kSyntheticPage, {}, 6, 903, 1024},
      {"a small page has no crops", {640, 640}, {}, 0, 273, 1024},
      {"no crops are wanted", cost::kSyntheticPage, {.crop_mode = false}, 0, 111, 640},
      {"no preprocessing, no crops",
       cost::kSyntheticPage,
       {.enable = false},
       0,
       111,
       640},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const SampleShape shapes =
        ShapesOf({.image = c.page, .preprocess = c.preprocess, .prompt = "<image>"});
    EXPECT_EQ(shapes.grid.crops(), c.crops);
    EXPECT_EQ(shapes.image_tokens, c.image_tokens);
    EXPECT_EQ(shapes.views.back().side, c.global_side);
    EXPECT_EQ(shapes.views.size(), c.crops > 0 ? 2u : 1u);
    EXPECT_EQ(shapes.prompt_tokens, c.image_tokens + 1);
  }
}

TEST(PageShapes, CountTokensOfThePromptAndSteps) {
  // Begin-of-text token, "\n", one special token, two bytes; the blank is stripped.
  const SampleShape shapes =
      ShapesOf({.prompt = "<image>\n<|grounding|>Hi ", .new_tokens = 65});
  EXPECT_EQ(shapes.text_tokens(), 5);
  EXPECT_EQ(shapes.prompt_tokens, 908);
  EXPECT_EQ(shapes.decode_steps, 64);
}

TEST(PageShapes, RefuseWhatCannotBe) {
  const Dimensions full = *Preset("full");
  EXPECT_FALSE(ShapesOfRequest(full, ByteTokenizer(), {.image = {0, 10}}).ok());
  EXPECT_FALSE(ShapesOfRequest(full, ByteTokenizer(), {.new_tokens = 0}).ok());
  EXPECT_FALSE(
      ShapesOfRequest(full, ByteTokenizer(), {.preprocess = {.base_size = 3}}).ok());
}

TEST(ContextRule, DecidesWhatStepsSee) {
  const Dimensions full = *Preset("full");
  const SampleShape shapes = ShapesOf({.prompt = "<image>", .new_tokens = 65});
  const Ledger real = MakeLedger(full, shapes, {}).value();
  EXPECT_EQ(real.phase("decode").cost,
            MakeLedger(full, shapes).value().phase("decode").cost);

  const ContextRule fixed = {.mode = ContextRule::Mode::kFixed, .fixed = 100};
  const Ledger at_100 = MakeLedger(full, shapes, fixed).value();
  const cost::CostNode step = DecodeStepCost(full, shapes.bytes, 100);
  EXPECT_EQ(at_100.phase("decode").cost.flops_total().executed,
            step.cost.flops_total().executed * 64);
  EXPECT_EQ(at_100.phase("decode").cost.bytes.total(), step.cost.bytes.total() * 64);
  EXPECT_EQ(at_100.phase("decode").name, "decode");
  EXPECT_EQ(at_100.kv_cache_bytes, Count(61'440) * 100);
  EXPECT_EQ(at_100.phase("prefill").cost, real.phase("prefill").cost);

  const Ledger most = MakeLedger(full, shapes, {ContextRule::Mode::kMax, 0}).value();
  EXPECT_EQ(most.kv_cache_bytes, Count(61'440) * 8192);
  EXPECT_GT(most.phase("decode").cost.bytes.total(),
            real.phase("decode").cost.bytes.total());

  const StepContexts contexts = ContextsOf(full, shapes, {});
  EXPECT_EQ(contexts.first, 905);
  EXPECT_EQ(contexts.last, 904 + 64);
}

TEST(ContextRule, AFixedContextMustBeAToken) {
  const Dimensions full = *Preset("full");
  const SampleShape shapes = ShapesOf({.prompt = "<image>"});
  EXPECT_FALSE(MakeLedger(full, shapes, {ContextRule::Mode::kFixed, 0}).ok());
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
