#include "models/deepseek_ocr/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/deepseek_ocr/presets.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Amount;
using cost::Cost;
using cost::CostClass;
using cost::CostNode;
using cost::Count;

// Small enough to count by hand.
Dimensions Toy() {
  Dimensions toy;
  toy.sam = {.width = 4,
             .layers = 2,
             .heads = 2,
             .global_layers = {1},
             .neck_width = 3,
             .down_width = 5,
             .out_width = 6,
             .patch = 2,
             .window = 3,
             .mlp_ratio = 2,
             .table_side = 4};
  toy.clip = {
      .width = 6, .layers = 1, .heads = 2, .patch = 2, .table_side = 2, .mlp_ratio = 2};
  toy.decoder = {.hidden = 4,
                 .layers = 2,
                 .heads = 2,
                 .kv_heads = 1,
                 .dense_layers = 1,
                 .dense_width = 6,
                 .experts = 3,
                 .experts_per_token = 2,
                 .expert_width = 5,
                 .shared_experts = 1,
                 .vocabulary = 7};
  toy.projector_input = 12;
  return toy;
}

Dimensions RandomDimensions(std::mt19937& random) {
  const auto draw = [&](int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  };
  Dimensions d;
  d.sam.heads = draw(1, 4);
  d.sam.width = d.sam.heads * draw(1, 8);
  d.sam.layers = draw(1, 4);
  d.sam.global_layers = {draw(0, 3)};
  d.sam.neck_width = draw(1, 9);
  d.sam.down_width = draw(1, 9);
  d.sam.out_width = draw(1, 9);
  d.clip.heads = draw(1, 4);
  d.clip.width = d.clip.heads * draw(1, 8);
  d.clip.layers = draw(1, 3);
  d.decoder.kv_heads = draw(1, 3);
  d.decoder.heads = d.decoder.kv_heads * draw(1, 3);
  d.decoder.hidden = d.decoder.heads * 2 * draw(1, 4);
  d.decoder.layers = draw(1, 5);
  d.decoder.dense_layers = draw(0, d.decoder.layers);
  d.decoder.dense_width = draw(1, 30);
  d.decoder.experts = draw(1, 9);
  d.decoder.experts_per_token = draw(1, d.decoder.experts);
  d.decoder.expert_width = draw(1, 20);
  d.decoder.shared_experts = draw(0, 2);
  d.decoder.vocabulary = draw(1, 100);
  d.projector_input = d.clip.width + d.sam.out_width;
  return d;
}

SampleShape RandomShapes(std::mt19937& random) {
  const auto draw = [&](int64_t from, int64_t to) {
    return std::uniform_int_distribution<int64_t>(from, to)(random);
  };
  SampleShape shapes;
  shapes.views = {{.side = 640, .count = draw(0, 9)},
                  {.side = draw(16, 1400), .count = 1}};
  shapes.prompt_tokens = draw(1, 1500);
  shapes.image_tokens = draw(0, shapes.prompt_tokens);
  shapes.decode_steps = draw(0, 300);
  return shapes;
}

Ledger Make(const Dimensions& dimensions, const SampleShape& shapes) {
  Result<Ledger> ledger = MakeLedger(dimensions, shapes);
  EXPECT_TRUE(ledger.ok()) << (ledger.ok() ? "" : ledger.error().message());
  return std::move(ledger).value();
}

uint64_t Executed(const CostNode& root, std::string_view name, CostClass cost_class) {
  const CostNode* node = FindModule(root, name);
  EXPECT_NE(node, nullptr) << name;
  return node == nullptr ? 0 : node->cost.flops(cost_class).executed.value();
}

void ExpectSumsOfChildren(const CostNode& node) {
  if (node.children.empty()) return;
  Cost cost;
  cost::Parameters parameters;
  for (const CostNode& child : node.children) {
    cost += child.cost;
    parameters += child.parameters;
    ExpectSumsOfChildren(child);
  }
  EXPECT_EQ(cost, node.cost) << node.name;
  EXPECT_EQ(parameters, node.parameters) << node.name;
}

void ExpectSameTree(const CostNode& a, const CostNode& b) {
  EXPECT_EQ(a.cost, b.cost) << a.name;
  ASSERT_EQ(a.children.size(), b.children.size()) << a.name;
  for (size_t i = 0; i < a.children.size(); ++i) {
    EXPECT_EQ(a.children[i].name, b.children[i].name);
    ExpectSameTree(a.children[i], b.children[i]);
  }
}

// One token that attends to three: itself and two before it.
TEST(Ledger, CountsADecodeStepLikeAHandDoes) {
  const CostNode step = DecodeStepCost(Toy(), {}, 3);
  const Cost& cost = step.cost;
  // q and o 2*4*4 each, k and v 2*4*2 each: 96 per layer. Dense: gate, up and down 2*4*6
  // each: 144. Two experts, each three times 2*4*5: 240. The shared one: 120.
  EXPECT_EQ(cost.flops(CostClass::kGemm).executed, Count(2 * 96 + 144 + 240 + 120));
  // Per layer, 2 heads * 3 keys * 2*2.
  EXPECT_EQ(cost.flops(CostClass::kAttentionScores).executed, Count(2 * 24));
  EXPECT_EQ(cost.flops(CostClass::kAttentionValues).executed, Count(2 * 24));
  EXPECT_EQ(cost.flops(CostClass::kRouting).executed, Count(2 * 4 * 3));
  EXPECT_EQ(cost.flops(CostClass::kLmHead).executed, Count(2 * 4 * 7));
  EXPECT_EQ(cost.flops_matrix().executed, Count(696 + 48 + 48 + 24 + 56));
  // Five norms: 4 per element and 2 per row.
  EXPECT_EQ(cost.flops(CostClass::kNorm).executed, Count(5 * (4 * 4 + 2)));
  // 5 per score: 2 heads * 3 keys per layer, 3 experts in one layer.
  EXPECT_EQ(cost.flops(CostClass::kSoftmax).executed, Count(5 * (2 * 6 + 3)));
  // 5 per element: dense 6, two experts 5 each, shared 5.
  EXPECT_EQ(cost.flops(CostClass::kActivation).executed, Count(5 * (6 + 10 + 5)));
  // Sines and cosines: 4*1 for frequencies, 1 angle, 2*2 values. Per layer, 3 heads
  // rotate at 3*2 + 1, 6 scores are scaled, 2*4 residuals added. up is multiplied 6 + 10
  // + 5 times; experts' outputs are weighted and added, 2*(2*4), and that of the shared
  // one is added, 4.
  EXPECT_EQ(cost.flops(CostClass::kElementwise).executed,
            Count(9 + 2 * (3 * 7 + 6 + 8) + 21 + 16 + 4));
  EXPECT_EQ(cost.flops(CostClass::kEmbedding).executed, Count(0));
  // Weights of 2 bytes: attention 48 per layer, five norms of 4, dense 72, experts 2*60,
  // shared 60, lm_head 28, one row of the embeddings 4; router 12 of 4 bytes.
  EXPECT_EQ(cost.bytes.weights_read,
            Count(2 * (2 * 48 + 5 * 4 + 72 + 120 + 60 + 28 + 4) + 4 * 12));
  // Keys and values of 1 head of 2, in 2 layers, in 2 bytes.
  EXPECT_EQ(cost.bytes.kv_read, Count(2 * 2 * 3 * 2 * 2));
  EXPECT_EQ(cost.bytes.kv_written, Count(2 * 2 * 1 * 2 * 2));
}

// 8 x 8 pixels: 4 x 4 patches, padded to 6 x 6 for windows of 3 x 3; one feature remains.
TEST(Ledger, CountsAViewLikeAHandDoes) {
  SampleShape shapes;
  shapes.views = {{.side = 8, .count = 1}};
  const CostNode vision = Make(Toy(), shapes).phase("vision");
  const auto gemm = [&](std::string_view name) {
    return Executed(vision, name, CostClass::kGemm);
  };
  const auto convolution = [&](std::string_view name) {
    return Executed(vision, name, CostClass::kConvolution);
  };
  EXPECT_EQ(convolution("sam.patch_embed"), 2U * 16 * (3 * 2 * 2) * 4);
  EXPECT_EQ(gemm("sam.block0.attn.qkv"), 2U * 36 * 4 * 12);
  EXPECT_EQ(gemm("sam.block0.attn.proj"), 2U * 36 * 4 * 4);
  EXPECT_EQ(gemm("sam.block0.mlp.lin1"), 2U * 16 * 4 * 8);
  // 2 heads, 36 queries, 9 keys, width 2.
  EXPECT_EQ(Executed(vision, "sam.block0.attn.scores", CostClass::kAttentionScores),
            2U * 2 * 36 * 9 * 2);
  // 2 tables, 2 heads, 36 queries, 3 rows, width 2.
  EXPECT_EQ(Executed(vision, "sam.block0.attn.rel_pos", CostClass::kRelativePositions),
            2U * 2 * 2 * 36 * 3 * 2);
  EXPECT_EQ(gemm("sam.block1.attn.qkv"), 2U * 16 * 4 * 12);
  EXPECT_EQ(Executed(vision, "sam.block1.attn.values", CostClass::kAttentionValues),
            2U * 2 * 16 * 16 * 2);
  EXPECT_EQ(Executed(vision, "sam.block1.attn.rel_pos", CostClass::kRelativePositions),
            2U * 2 * 2 * 16 * 4 * 2);
  EXPECT_EQ(convolution("sam.neck"), 2U * 16 * (4 * 3 + 9 * 3 * 3));
  EXPECT_EQ(convolution("sam.net_2"), 2U * 4 * 9 * 3 * 5);
  EXPECT_EQ(convolution("sam.net_3"), 2U * 1 * 9 * 5 * 6);
  // A class and one patch.
  EXPECT_EQ(gemm("clip.layer0.attn"), 2U * 2 * (6 * 18 + 6 * 6));
  EXPECT_EQ(gemm("clip.layer0.mlp"), 2U * 2 * (6 * 12 + 12 * 6));
  EXPECT_EQ(Executed(vision, "clip.layer0.attn.scores", CostClass::kAttentionScores),
            2U * 2 * 2 * 2 * 3);
  EXPECT_EQ(gemm("projector"), 2U * 1 * 12 * 4);
}

TEST(Ledger, TellsAWindowsPaddingFromTheView) {
  SampleShape shapes;
  shapes.views = {{.side = 8, .count = 1}};
  const CostNode vision = Make(Toy(), shapes).phase("vision");
  EXPECT_EQ(FindModule(vision, "sam.block0.attn.qkv")->cost.flops(CostClass::kGemm),
            (Amount{.executed = 2 * 36 * 48, .useful = 2 * 16 * 48}));
  EXPECT_EQ(FindModule(vision, "sam.block1.attn.qkv")->cost.flops(CostClass::kGemm),
            Amount::Same(2 * 16 * 48));
}

TEST(Ledger, CountsPairsOfAPromptAsTheyAreExecuted) {
  for (const int64_t tokens : {1, 2, 255, 256, 257, 511, 512, 913, 1024, 8191}) {
    SCOPED_TRACE(tokens);
    uint64_t executed = 0;
    uint64_t useful = 0;
    uint64_t keys = 0;
    for (int64_t begin = 0; begin < tokens; begin += kLedgerQueriesPerBlock) {
      const int64_t count = std::min(kLedgerQueriesPerBlock, tokens - begin);
      executed += static_cast<uint64_t>(count * (begin + count));
      keys += static_cast<uint64_t>(begin + count);
    }
    for (int64_t i = 1; i <= tokens; ++i) useful += static_cast<uint64_t>(i);
    SampleShape shapes;
    shapes.prompt_tokens = tokens;
    Dimensions toy = Toy();
    toy.decoder.kv_heads = 2;
    const CostNode prefill = Make(toy, shapes).phase("prefill");
    const Cost& scores = FindModule(prefill, "decoder.layer1.attn.scores")->cost;
    EXPECT_EQ(scores.flops(CostClass::kAttentionScores),
              (Amount{.executed = 2 * 4 * executed, .useful = 2 * 4 * useful}));
    EXPECT_EQ(scores.bytes.kv_read, Count(keys * 4 * 2));
  }
}

TEST(Ledger, KeysThatHeadsShareAreCopiedOutOfTheCacheOnce) {
  SampleShape shapes;
  shapes.prompt_tokens = 600;
  const CostNode prefill = Make(Toy(), shapes).phase("prefill");
  const cost::Traffic& cache =
      FindModule(prefill, "decoder.layer0.attn.cache")->cost.bytes;
  EXPECT_EQ(cache.kv_written, Count(600 * 2 * 2 * 2));
  EXPECT_EQ(cache.kv_read, Count(600 * 2 * 2 * 2));
  EXPECT_EQ(cache.activations_written, Count(600 * 2 * 4 * 2));
  // Blocks of queries attend to 256, 512 and 600 of the copies.
  const cost::Traffic& scores =
      FindModule(prefill, "decoder.layer0.attn.scores")->cost.bytes;
  EXPECT_EQ(scores.kv_read, Count(0));
  EXPECT_EQ(scores.activations_read, Count(2 * (600 * 4 + (256 + 512 + 600) * 4)));
}

TEST(Ledger, OnlyTheLastTokenOfAPromptGoesToTheVocabulary) {
  SampleShape shapes;
  shapes.prompt_tokens = 300;
  const CostNode prefill = Make(Toy(), shapes).phase("prefill");
  EXPECT_EQ(Executed(prefill, "decoder.lm_head", CostClass::kLmHead), 2U * 4 * 7);
  EXPECT_EQ(Executed(prefill, "decoder.norm", CostClass::kNorm), 4U * 4 + 2);
  EXPECT_EQ(Executed(prefill, "decoder.layer0.attn.q", CostClass::kGemm),
            300U * 2 * 4 * 4);
}

TEST(Ledger, ADecodeInClosedFormIsTheSumOfItsSteps) {
  std::mt19937 random(7);
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const Dimensions dimensions = RandomDimensions(random);
    SampleShape shapes = RandomShapes(random);
    shapes.decode_steps = std::max<int64_t>(1, shapes.decode_steps);
    const CostNode decode = Make(dimensions, shapes).phase("decode");
    CostNode sum = DecodeStepCost(dimensions, shapes.bytes, shapes.prompt_tokens + 1);
    for (int64_t step = 2; step <= shapes.decode_steps; ++step) {
      AddCall(sum, DecodeStepCost(dimensions, shapes.bytes, shapes.prompt_tokens + step));
    }
    ExpectSameTree(decode, sum);
  }
}

// Reading a prompt token by token is a decode with an empty context.
TEST(Ledger, APromptNeedsIdeallyWhatItsTokensNeedOneByOne) {
  SampleShape shapes;
  shapes.prompt_tokens = 700;
  const CostNode prefill = Make(Toy(), shapes).phase("prefill");
  SampleShape steps;
  steps.decode_steps = 700;
  const CostNode decode = Make(Toy(), steps).phase("decode");
  for (const std::string_view name :
       {"decoder.layer0", "decoder.layer1.attn", "decoder.layer1.mlp"}) {
    const Cost& a = FindModule(prefill, name)->cost;
    const Cost& b = FindModule(decode, name)->cost;
    for (const CostClass cost_class : cost::AllCostClasses()) {
      EXPECT_EQ(a.flops(cost_class).useful, b.flops(cost_class).executed)
          << name << " " << NameOf(cost_class);
    }
    EXPECT_LT(a.bytes.weights_read, b.bytes.weights_read);
  }
}

TEST(Ledger, ModulesCostWhatTheirPartsCost) {
  std::mt19937 random(11);
  for (int i = 0; i < 50; ++i) {
    const Ledger ledger = Make(RandomDimensions(random), RandomShapes(random));
    ExpectSumsOfChildren(ledger.phase("vision"));
    ExpectSumsOfChildren(ledger.phase("prefill"));
    ExpectSumsOfChildren(ledger.phase("decode"));
    for (const CostNode* root :
         {&ledger.phase("vision"), &ledger.phase("prefill"), &ledger.phase("decode")}) {
      for (const CostNode* leaf : Leaves(*root)) {
        for (const Amount& flops : leaf->cost.flops_by_class) {
          EXPECT_LE(flops.useful, flops.executed) << leaf->name;
        }
      }
    }
  }
}

TEST(Ledger, MoreWorkCostsMore) {
  const Dimensions dimensions = *Preset("tiny");
  const SampleShape base = {
      .views = {{.side = 640, .count = 4}, {.side = 1024, .count = 1}},
      .prompt_tokens = 700,
      .image_tokens = 690,
      .decode_steps = 20};
  SampleShape more = base;
  more.views[0].count = 6;
  more.prompt_tokens += 1;
  more.decode_steps += 1;
  const Ledger a = Make(dimensions, base);
  const Ledger b = Make(dimensions, more);
  const auto expect_more = [](const CostNode& less, const CostNode& greater) {
    EXPECT_LT(less.cost.flops_matrix().executed, greater.cost.flops_matrix().executed);
    EXPECT_LT(less.cost.flops_matrix().useful, greater.cost.flops_matrix().useful);
    EXPECT_LT(less.cost.flops_total().executed, greater.cost.flops_total().executed);
    EXPECT_LT(less.cost.bytes.total(), greater.cost.bytes.total());
    EXPECT_EQ(less.parameters, greater.parameters);
  };
  expect_more(a.phase("vision"), b.phase("vision"));
  expect_more(a.phase("prefill"), b.phase("prefill"));
  expect_more(a.phase("decode"), b.phase("decode"));
  EXPECT_LT(a.kv_cache_bytes, b.kv_cache_bytes);
  EXPECT_LT(a.peak_bytes("vision"), b.peak_bytes("vision"));
  EXPECT_LT(a.peak_bytes("prefill"), b.peak_bytes("prefill"));
}

TEST(Ledger, EachBatchOfViewsReadsTheWeightsAgain) {
  const auto cost = [](std::vector<ViewBatch> views) {
    SampleShape shapes;
    shapes.views = std::move(views);
    return Make(Toy(), shapes).phase("vision").cost;
  };
  const Cost together = cost({{.side = 8, .count = 2}});
  const Cost apart = cost({{.side = 8, .count = 1}, {.side = 8, .count = 1}});
  EXPECT_EQ(together.flops_by_class, apart.flops_by_class);
  EXPECT_EQ(together.bytes.weights_read * 2, apart.bytes.weights_read);
  EXPECT_EQ(together.bytes.activations_read, apart.bytes.activations_read);
  EXPECT_EQ(cost({}).bytes.total(), Count(0));
}

TEST(Ledger, ReadsOnlyTheExpertsThatWereChosen) {
  SampleShape shapes;
  shapes.prompt_tokens = 10;
  const CostNode by_number = Make(Toy(), shapes).phase("prefill");
  shapes.prompt_routing = RecordedRouting{{{10, 0, 10}}};
  const CostNode recorded = Make(Toy(), shapes).phase("prefill");
  EXPECT_EQ(by_number.cost.flops_by_class, recorded.cost.flops_by_class);
  const std::string_view experts = "decoder.layer1.mlp.experts";
  EXPECT_EQ(FindModule(by_number, experts)->cost.bytes.weights_read, Count(3 * 60 * 2));
  EXPECT_EQ(FindModule(recorded, experts)->cost.bytes.weights_read, Count(2 * 60 * 2));
}

TEST(Ledger, RefusesShapesThatCannotBe) {
  struct Case {
    const char* what;
    SampleShape shapes;
  };
  const Case cases[] = {
      {"a view smaller than a patch", {.views = {{.side = 1, .count = 1}}}},
      {"fewer than no views", {.views = {{.side = 8, .count = -1}}}},
      {"more image tokens than tokens", {.prompt_tokens = 5, .image_tokens = 6}},
      {"fewer than no tokens", {.prompt_tokens = -1, .image_tokens = -1}},
      {"fewer than no steps", {.decode_steps = -1}},
      {"weights without size", {.bytes = {.weights = 0}}},
      {"routing of no layer", {.prompt_tokens = 5, .prompt_routing = RecordedRouting{}}},
      {"an expert too few",
       {.prompt_tokens = 5, .prompt_routing = RecordedRouting{{{5, 5}}}}},
      {"a token chosen twice",
       {.prompt_tokens = 5, .prompt_routing = RecordedRouting{{{6, 4, 0}}}}},
      {"a choice too many",
       {.prompt_tokens = 5, .prompt_routing = RecordedRouting{{{5, 5, 1}}}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_FALSE(MakeLedger(Toy(), c.shapes).ok());
  }
}

TEST(Ledger, TakesItsShapesFromThePage) {
  const Result<SampleShape> shapes = ShapesOfPage({.cols = 2, .rows = 3}, {}, 10);
  ASSERT_TRUE(shapes.ok());
  ASSERT_EQ(shapes.value().views.size(), 2U);
  EXPECT_EQ(shapes.value().views[0].side, 640);
  EXPECT_EQ(shapes.value().views[0].count, 6);
  EXPECT_EQ(shapes.value().views[1].side, 1024);
  EXPECT_EQ(shapes.value().image_tokens, 903);
  EXPECT_EQ(shapes.value().prompt_tokens, 913);
}

TEST(Ledger, SaysTooMuchInsteadOfWrappingAround) {
  Dimensions dimensions = Toy();
  dimensions.decoder.vocabulary = int64_t{1} << 62;
  SampleShape shapes;
  shapes.prompt_tokens = 4;
  const CostNode prefill = Make(dimensions, shapes).phase("prefill");
  EXPECT_FALSE(prefill.cost.flops_matrix().executed.is_exact());
  EXPECT_TRUE(
      FindModule(prefill, "decoder.layer0")->cost.flops_matrix().executed.is_exact());
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
