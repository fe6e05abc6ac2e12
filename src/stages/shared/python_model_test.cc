#include "stages/shared/python_model.h"

#include <gtest/gtest.h>

namespace ridgeline::stages {
namespace {

TEST(KvCache, FollowsFromTheConfigOfTheModel) {
  const struct {
    const char* config;
    std::optional<int64_t> bytes;
  } cases[] = {
      // Llama 3 8B: 2 x 32 layers x 8 heads x 128 x 2 bytes.
      {R"({"num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
           "hidden_size": 4096, "torch_dtype": "bfloat16"})",
       131072},
      // GPT-2: its own names, all heads, f32.
      {R"({"n_layer": 12, "n_head": 12, "n_embd": 768, "dtype": "float32"})",
       2 * 12 * 12 * 64 * 4},
      // Qwen3: a head size that is not hidden_size / heads.
      {R"({"num_hidden_layers": 28, "num_attention_heads": 16, "num_key_value_heads": 8,
           "head_dim": 128, "hidden_size": 1024, "dtype": "torch.bfloat16"})",
       2 * 28 * 8 * 128 * 2},
      // DeepSeek V3: one latent vector and the rotary part.
      {R"({"num_hidden_layers": 61, "num_attention_heads": 128, "hidden_size": 7168,
           "kv_lora_rank": 512, "qk_rope_head_dim": 64, "torch_dtype": "bfloat16"})",
       61 * 576 * 2},
      // A multimodal model: the language model has a nested config.
      {R"({"hidden_size": 1, "torch_dtype": "float16", "text_config":
           {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}})",
       2 * 2 * 64 * 2},
      {R"({"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64})", {}},
      {R"({"torch_dtype": "float32"})", {}},
      {"", {}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(KvCacheOf(c.config, "").bytes_per_token, c.bytes) << c.config;
    EXPECT_NE(KvCacheOf(c.config, "").basis, "");
  }
}

TEST(KvCache, IsOfTheTypeOfTheWeightsIfTheConfigHasNone) {
  constexpr const char* kConfig =
      R"({"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64})";
  EXPECT_EQ(KvCacheOf(kConfig, "float32").bytes_per_token, 2 * 2 * 64 * 4);
}

TEST(ModelSummaryOf, CountsTiedParametersOnceAndTakesTheLargestModel) {
  python::Model small = {.root = 1, .class_name = "Small"};
  small.tensors = {{.name = "w", .kind = "parameter", .dtype = "float32", .numel = 5}};
  python::Model large = {.root = 2, .class_name = "Large"};
  large.modules = {{"", "Large"}, {"blocks.0", "Block"}};
  large.tensors = {{.name = "wte.weight",
                    .kind = "parameter",
                    .dtype = "bfloat16",
                    .numel = 100,
                    .bytes = 200},
                   {.name = "blocks.0.w",
                    .kind = "parameter",
                    .dtype = "bfloat16",
                    .numel = 30,
                    .bytes = 60},
                   {.name = "blocks.1.w",
                    .kind = "parameter",
                    .dtype = "float32",
                    .numel = 30,
                    .bytes = 120},
                   {.name = "head.weight",
                    .kind = "parameter",
                    .dtype = "bfloat16",
                    .numel = 100,
                    .bytes = 200,
                    .tied_to = "wte.weight"},
                   {.name = "blocks.0.mask",
                    .kind = "buffer",
                    .dtype = "bool",
                    .numel = 8,
                    .bytes = 8}};
  python::Process process;
  process.torch = "2.13.0";
  process.models = {small, large};
  const std::vector<python::Process> processes = {process};
  const auto summary = SummaryOf(processes);
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(summary->model, "Large");
  EXPECT_EQ(summary->modules, 2);
  EXPECT_EQ(summary->parameters, 160);
  EXPECT_EQ(summary->parameters_tied, 100);
  EXPECT_EQ(summary->weights_bytes, 380);
  EXPECT_EQ(summary->buffers_bytes, 8);
  ASSERT_EQ(summary->weights.size(), 2u);
  ASSERT_EQ(summary->layers.size(), 4u);
  EXPECT_EQ(summary->layers[3], (profiles::CountedPart{"head", 0, {}}));
  EXPECT_EQ(summary->layers[1], (profiles::CountedPart{"blocks.0", 30, {}}));
  EXPECT_FALSE(SummaryOf({}).has_value());
}

TEST(FlopsOfACall, AreThoseOfItsRegions) {
  analysis::TraceFindings findings;
  const auto region = [&](const char* path, int64_t flops, int64_t exclusive) {
    results::RegionTotal total;
    total.path = path;
    total.kind = "annotation";
    total.work = results::RegionWork{.flops = flops, .flops_exclusive = exclusive};
    findings.regions.push_back(total);
  };
  region("generate", 100, 0);
  region("generate/prefill", 70, 0);
  region("generate/prefill/GPT", 70, 10);
  region("generate/prefill/GPT/blocks.0", 60, 20);
  region("generate/prefill/GPT/blocks.0/blocks.0.mlp", 40, 40);
  region("generate/decode", 30, 0);
  region("generate/decode/decode_step/GPT/blocks.0", 30, 30);
  profiles::ModelSummary summary;
  summary.layers = {{"blocks.0", 5, {}}, {"head", 5, {}}};
  StringPool names;
  AddCall({.kind = "generate", .name = "GPT.generate", .prompt_tokens = 4}, findings,
          names, summary);
  EXPECT_EQ(summary.flops, 100);
  EXPECT_EQ(summary.phases, (std::vector<profiles::CountedPart>{{"prefill", {}, 70},
                                                                {"decode", {}, 30}}));
  EXPECT_EQ(summary.layers[0].flops, 90);
  EXPECT_EQ(summary.layers[1].flops, std::nullopt);
}

}  // namespace
}  // namespace ridgeline::stages
