// Compares the closed form with the dispatcher: for models of random dimensions, every
// executed GEMM is in the ledger, with the same scope, class and exact FLOPs.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "inference/recorder/op_counter.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/network/network.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

namespace ocr = models::deepseek_ocr;

constexpr uint64_t kConfigurations = 200;

// By scope and class.
using Counts = std::map<std::pair<std::string, std::string>, uint64_t>;

class Dice {
 public:
  explicit Dice(uint64_t seed) : seed_(seed) {}
  int64_t Between(int64_t least, int64_t most) {
    const auto sides = static_cast<uint64_t>(most - least + 1);
    return least + static_cast<int64_t>(SplitMix64At(seed_, thrown_++) % sides);
  }

 private:
  uint64_t seed_;
  uint64_t thrown_ = 0;
};

ocr::Dimensions RandomDimensions(Dice& dice) {
  ocr::Dimensions d;
  d.sam.heads = dice.Between(1, 3);
  d.sam.width = d.sam.heads * 4 * dice.Between(1, 2);
  d.sam.layers = dice.Between(1, 3);
  d.sam.global_layers = {dice.Between(0, 2)};
  d.sam.neck_width = dice.Between(1, 6);
  d.sam.down_width = dice.Between(1, 7);
  d.clip.heads = dice.Between(1, 3);
  d.clip.width = d.clip.heads * 4 * dice.Between(1, 2);
  d.clip.layers = dice.Between(1, 3);
  d.sam.out_width = d.clip.width;
  d.projector_input = d.clip.width + d.sam.out_width;
  ocr::DecoderDimensions& decoder = d.decoder;
  decoder.kv_heads = dice.Between(1, 3);
  decoder.heads = decoder.kv_heads * dice.Between(1, 2);
  decoder.hidden = decoder.heads * 2 * dice.Between(1, 5);
  decoder.layers = dice.Between(1, 4);
  decoder.dense_layers = dice.Between(0, decoder.layers);
  decoder.dense_width = dice.Between(1, 30);
  decoder.experts = dice.Between(1, 9);
  decoder.experts_per_token = dice.Between(1, decoder.experts);
  decoder.expert_width = dice.Between(1, 12);
  decoder.shared_experts = dice.Between(0, 2);
  decoder.vocabulary = dice.Between(3, 40);
  return d;
}

cost::SampleShape RandomShapes(Dice& dice) {
  cost::SampleShape shapes;
  if (dice.Between(0, 1) == 1) {
    shapes.views.push_back({64 * dice.Between(1, 4), dice.Between(1, 3)});
  }
  shapes.views.push_back({64 * dice.Between(1, 6), 1});
  shapes.prompt_tokens = dice.Between(1, 600);
  shapes.decode_steps = dice.Between(0, 3);
  return shapes;
}

Counts Counted(const inference::OpCounter& counter) {
  EXPECT_TRUE(counter.unknown().empty());
  Counts counts;
  for (const inference::CountedOps& row : counter.rows()) {
    counts[{row.scope, row.cost_class}] += row.flops;
  }
  return counts;
}

Counts InLedger(const cost::CostNode& phase) {
  Counts counts;
  for (const cost::CostNode* leaf : cost::Leaves(phase)) {
    for (const cost::CostClass cost_class : cost::AllCostClasses()) {
      const uint64_t flops = leaf->cost.flops(cost_class).executed.value();
      if (!cost::IsMatrix(cost_class) || flops == 0) continue;
      counts[{leaf->name, std::string(NameOf(cost_class))}] += flops;
    }
  }
  return counts;
}

Counts CountVision(const Network& network, const cost::SampleShape& shapes) {
  inference::OpCounter counter;
  VisionTimes times;
  for (const cost::ViewBatch& batch : shapes.views) {
    network.vision().Encode(at::randn({batch.count, 3, batch.side, batch.side}), times);
  }
  return Counted(counter);
}

void Step(const Decoder& decoder, KeyValueCache& cache) {
  const at::Tensor id = at::full({1}, 2, at::kLong);
  decoder.Logits(decoder.Forward(decoder.Embed(id), cache));
}

void CheckOne(uint64_t seed) {
  Dice dice(seed);
  const ocr::Dimensions dimensions = RandomDimensions(dice);
  const cost::SampleShape shapes = RandomShapes(dice);
  const Result<cost::Ledger> ledger = ocr::MakeLedger(dimensions, shapes);
  ASSERT_TRUE(ledger.ok()) << ledger.error().message();
  const Network network = Network::Random(dimensions, seed);
  const Counts vision = CountVision(network, shapes);
  EXPECT_FALSE(vision.empty());
  EXPECT_EQ(vision, InLedger(ledger.value().phase("vision")));
  const Decoder& decoder = network.decoder();
  KeyValueCache cache;
  {
    inference::OpCounter counter;
    const at::Tensor prompt =
        at::randn({shapes.prompt_tokens, dimensions.decoder.hidden});
    const at::Tensor hidden = decoder.Forward(prompt, cache);
    decoder.Logits(hidden.narrow(0, shapes.prompt_tokens - 1, 1));
    EXPECT_EQ(Counted(counter), InLedger(ledger.value().phase("prefill")));
  }
  inference::OpCounter counter;
  for (int64_t i = 0; i < shapes.decode_steps; ++i) Step(decoder, cache);
  EXPECT_EQ(Counted(counter), InLedger(ledger.value().phase("decode")));
}

TEST(LedgerAndDispatcher, AgreeToTheUnit) {
  const c10::InferenceMode no_gradients;
  for (uint64_t seed = 0; seed < kConfigurations; ++seed) {
    SCOPED_TRACE(fmt::format("configuration {}", seed));
    CheckOne(seed);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ridgeline::networks::deepseek_ocr
