#include <gtest/gtest.h>

#include <random>

#include "models/deepseek_ocr/ledger_phases.h"
#include "models/deepseek_ocr/page_shapes.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Cost;
using cost::CostClass;
using cost::CostNode;
using cost::Count;

SampleShape SomeShapes(int64_t pages, ExpertSpread experts = ExpertSpread::kLeast) {
  return {.views = {{.side = 640, .count = 6}, {.side = 1024, .count = 1}},
          .prompt_tokens = 913,
          .image_tokens = 903,
          .decode_steps = 64,
          .batch = {.samples = pages, .experts = experts}};
}

Ledger Full(const SampleShape& shapes) {
  return MakeLedger(*Preset("full"), shapes).value();
}

// A batch of one costs the same as a single page, regardless of expert routing.
TEST(LedgerBatch, OfOnePageIsThePage) {
  const Ledger alone = Full(SomeShapes(1));
  for (const ExpertSpread experts : {ExpertSpread::kUniform, ExpertSpread::kMost}) {
    const Ledger ledger = Full(SomeShapes(1, experts));
    EXPECT_EQ(ledger.phase("vision").cost, alone.phase("vision").cost);
    EXPECT_EQ(ledger.phase("prefill").cost, alone.phase("prefill").cost);
    EXPECT_EQ(ledger.phase("decode").cost, alone.phase("decode").cost);
    EXPECT_EQ(ledger.kv_cache_bytes, alone.kv_cache_bytes);
  }
  // As in docs/flops.md, except for routers of 4 bytes instead of 2.
  EXPECT_EQ(alone.phase("decode").cost.flops_matrix().executed, Count(77'202'063'360));
}

// Every module, every class; only the frequencies of rotary positions are computed once
// per call.
void ExpectFlopsTimes(const CostNode& one, const CostNode& many, Count pages) {
  ASSERT_EQ(Leaves(one).size(), Leaves(many).size());
  for (size_t i = 0; i < Leaves(one).size(); ++i) {
    const CostNode& alone = *Leaves(one)[i];
    const CostNode& together = *Leaves(many)[i];
    SCOPED_TRACE(alone.name);
    EXPECT_EQ(together.name, alone.name);
    EXPECT_EQ(together.parameters, alone.parameters);
    if (alone.name == "decoder.rotary") continue;
    for (const CostClass cost_class : cost::AllCostClasses()) {
      EXPECT_EQ(together.cost.flops(cost_class), alone.cost.flops(cost_class) * pages);
    }
  }
  EXPECT_EQ(many.cost.flops_matrix(), one.cost.flops_matrix() * pages);
}

TEST(LedgerBatch, FlopsAreThoseOfSoManyPages) {
  for (const int64_t pages : {2, 3, 17, 1024}) {
    SCOPED_TRACE(pages);
    const Ledger one = Full(SomeShapes(1));
    const Ledger many = Full(SomeShapes(pages, ExpertSpread::kUniform));
    ExpectFlopsTimes(one.phase("vision"), many.phase("vision"), pages);
    ExpectFlopsTimes(one.phase("prefill"), many.phase("prefill"), pages);
    ExpectFlopsTimes(one.phase("decode"), many.phase("decode"), pages);
  }
}

TEST(LedgerBatch, WeightsAreReadOnceAndTheRestForEachPage) {
  const Ledger one = Full(SomeShapes(1));
  const Ledger many = Full(SomeShapes(16));
  EXPECT_EQ(many.phase("vision").cost.bytes.weights_read,
            one.phase("vision").cost.bytes.weights_read);
  // Each token reads its own row of the embeddings.
  const auto rows = [](const Ledger& ledger) {
    return FindModule(ledger.phase("decode"), "decoder.embedding")
        ->cost.bytes.weights_read;
  };
  EXPECT_EQ(rows(many), rows(one) * 16);
  EXPECT_EQ(many.phase("decode").cost.bytes.weights_read + rows(one),
            one.phase("decode").cost.bytes.weights_read + rows(many));
  EXPECT_EQ(many.phase("prefill").cost.bytes.kv_read,
            one.phase("prefill").cost.bytes.kv_read * 16);
  EXPECT_EQ(many.phase("decode").cost.bytes.kv_read,
            one.phase("decode").cost.bytes.kv_read * 16);
  EXPECT_EQ(many.phase("decode").cost.bytes.kv_written,
            one.phase("decode").cost.bytes.kv_written * 16);
  EXPECT_EQ(many.phase("decode").cost.bytes.activations_read,
            one.phase("decode").cost.bytes.activations_read * 16);
  EXPECT_EQ(many.kv_cache_bytes, one.kv_cache_bytes * 16);
  EXPECT_EQ(many.peak_bytes("vision"), one.peak_bytes("vision") * 16);
  EXPECT_EQ(many.peak_bytes("decode"), one.peak_bytes("decode") * 16);
}

TEST(LedgerBatch, ABatchOfStepsKnowsTheContextRule) {
  const Dimensions full = *Preset("full");
  const ContextRule fixed = {.mode = ContextRule::Mode::kFixed, .fixed = 500};
  const Ledger one = MakeLedger(full, SomeShapes(1), fixed).value();
  const Ledger many = MakeLedger(full, SomeShapes(4), fixed).value();
  EXPECT_EQ(many.phase("decode").cost.flops_matrix(),
            one.phase("decode").cost.flops_matrix() * 4);
  EXPECT_EQ(many.kv_cache_bytes, one.kv_cache_bytes * 4);
}

TEST(ExpertsRead, LiesBetweenAllTheSameAndAllDifferent) {
  const DecoderDimensions d;
  struct Case {
    int64_t pages;
    double uniform;
    int64_t most;
  };
  // 64 * (1 - (58 / 64)^pages)
  const Case cases[] = {{1, 6, 6},         {2, 11.4375, 12},  {8, 34.8818, 48},
                        {11, 42.3275, 64}, {64, 63.8825, 64}, {1'000'000, 64, 64}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pages);
    const ExpertsRead read = ExpertsReadOf(d, c.pages);
    EXPECT_EQ(read.least, 6);
    EXPECT_NEAR(read.uniform, c.uniform, 1e-4);
    EXPECT_EQ(read.most, c.most);
  }
}

// Simulates the formula.
TEST(ExpertsRead, IsTheAverageOfDraws) {
  const DecoderDimensions d;
  constexpr int64_t kPages = 8;
  constexpr int kDraws = 4000;
  std::mt19937 random(7);
  std::vector<int> experts(static_cast<size_t>(d.experts));
  int64_t total = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<bool> is_read(experts.size(), false);
    for (int64_t page = 0; page < kPages; ++page) {
      for (size_t i = 0; i < experts.size(); ++i) experts[i] = static_cast<int>(i);
      std::shuffle(experts.begin(), experts.end(), random);
      for (int64_t k = 0; k < d.experts_per_token; ++k) {
        is_read[static_cast<size_t>(experts[static_cast<size_t>(k)])] = true;
      }
    }
    total += std::count(is_read.begin(), is_read.end(), true);
  }
  EXPECT_NEAR(static_cast<double>(total) / kDraws, ExpertsReadOf(d, kPages).uniform, 0.1);
}

TEST(ExpertsRead, GrowsWithPagesAndNeverFasterThanThey) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    DecoderDimensions d;
    d.experts = std::uniform_int_distribution<int64_t>(1, 256)(random);
    d.experts_per_token = std::uniform_int_distribution<int64_t>(1, d.experts)(random);
    ExpertsRead before = ExpertsReadOf(d, 1);
    EXPECT_EQ(ExpertLoads(d, {.experts = ExpertSpread::kUniform}, 8191),
              Count(8191) * d.experts_per_token);
    for (int64_t pages = 2; pages < 80; ++pages) {
      const ExpertsRead read = ExpertsReadOf(d, pages);
      EXPECT_GE(read.uniform, before.uniform);
      EXPECT_GE(read.most, before.most);
      EXPECT_LE(read.least, read.uniform);
      EXPECT_LE(read.uniform, static_cast<double>(read.most));
      EXPECT_LE(read.most, d.experts_per_token * pages);
      before = read;
    }
  }
}

TEST(LedgerBatch, RefusesWhatIsNoBatch) {
  const Dimensions full = *Preset("full");
  for (const int64_t pages : {int64_t{0}, int64_t{-3}, int64_t{1} << 40}) {
    EXPECT_FALSE(MakeLedger(full, SomeShapes(pages)).ok()) << pages;
  }
  SampleShape recorded = SomeShapes(2);
  recorded.prompt_routing = RecordedRouting{};
  EXPECT_EQ(MakeLedger(full, recorded).error().message(),
            "cost: recorded routing covers only one page");
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
