#include "cost/flop_check.h"

#include <gtest/gtest.h>

namespace ridgeline::cost {
namespace {

using Kind = ReconciledRow::Kind;

CostNode Leaf(const char* name, CostClass cost_class, int flops) {
  CostNode node;
  node.name = name;
  node.cost.flops(cost_class) = {.executed = flops, .useful = flops / 2};
  return node;
}

CostNode Phase() {
  return MakePhase("vision",
                   {MakeModule("sam", {Leaf("qkv", CostClass::kGemm, 100),
                                       Leaf("scores", CostClass::kAttentionScores, 40),
                                       Leaf("norm", CostClass::kNorm, 7)})});
}

TEST(Reconcile, AddsUpCallsAndFindsThemEqual) {
  const CountedRow counted[] = {{"sam.qkv", CostClass::kGemm, 60},
                                {"sam.scores", CostClass::kAttentionScores, 40},
                                {"sam.qkv", CostClass::kGemm, 40},
                                {"sam.norm", CostClass::kNorm, 12345}};
  const Reconciliation result = Reconcile(Phase(), counted);
  ASSERT_EQ(result.rows.size(), 2u);  // Norms are not compared.
  EXPECT_EQ(result.CountOf(Kind::kEqual), 2u);
  EXPECT_EQ(result.ledger_total, Count(140));
  EXPECT_EQ(result.counted_total, Count(140));
  EXPECT_EQ(result.filled_total, Count(140));
}

TEST(Reconcile, TellsWhatDiffersAndWhatOneSideLacks) {
  const CountedRow counted[] = {{"sam.qkv", CostClass::kGemm, 101},
                                {"sam.extra", CostClass::kGemm, 9}};
  const Reconciliation result = Reconcile(Phase(), counted);
  ASSERT_EQ(result.rows.size(), 3u);
  EXPECT_EQ(result.rows[0].kind, Kind::kDiffers);
  EXPECT_EQ(result.rows[1].kind, Kind::kNotCounted);
  EXPECT_EQ(result.rows[1].scope, "sam.scores");
  EXPECT_EQ(result.rows[2].kind, Kind::kNotInLedger);
  EXPECT_FALSE(result.rows[2].ledger);
  EXPECT_EQ(result.counted_total, Count(110));
  EXPECT_EQ(result.filled_total, Count(150));
}

TEST(Reconcile, AnotherClassIsAnotherRow) {
  const CountedRow counted[] = {{"sam.qkv", CostClass::kConvolution, 100},
                                {"sam.scores", CostClass::kAttentionScores, 40}};
  const Reconciliation result = Reconcile(Phase(), counted);
  EXPECT_EQ(result.CountOf(Kind::kNotCounted), 1u);
  EXPECT_EQ(result.CountOf(Kind::kNotInLedger), 1u);
}

}  // namespace
}  // namespace ridgeline::cost
