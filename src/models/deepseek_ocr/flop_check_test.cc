#include "cost/flop_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::CountedPhase;
using cost::FlopCheck;
using testing::HasSubstr;
using Kind = cost::ReconciledRow::Kind;

Ledger TinyLedger() {
  const SampleShape shapes = {.views = {{.side = 256, .count = 1}},
                              .prompt_tokens = 30,
                              .image_tokens = 21,
                              .decode_steps = 3};
  return MakeLedger(*Preset("tiny"), shapes).value();
}

// A dispatcher whose counts match the ledger.
std::vector<CountedPhase> FaithfulCount(const Ledger& ledger) {
  std::vector<CountedPhase> phases;
  for (const cost::CostNode& phase : ledger.phases) {
    phases.push_back({phase.name, {}});
    for (const auto& row : cost::Reconcile(phase, {}).rows) {
      phases.back().rows.push_back({row.scope, row.cost_class, *row.ledger});
    }
  }
  return phases;
}

TEST(CheckAgreement, HoldsForTheSameCount) {
  const Ledger ledger = TinyLedger();
  const FlopCheck report = CheckFlops(ledger, FaithfulCount(ledger));
  EXPECT_GT(report.CountOf(Kind::kEqual), 50u);
  EXPECT_TRUE(CheckAgreement(report, cost::Fallback::kNone).ok());
  EXPECT_EQ(report.phases[0].result.counted_total,
            ledger.phase("vision").cost.flops_matrix().executed);
}

TEST(CheckAgreement, FillsWhatWasNotCountedOnlyIfItMay) {
  const Ledger ledger = TinyLedger();
  std::vector<CountedPhase> count = FaithfulCount(ledger);
  count.pop_back();
  const FlopCheck report = CheckFlops(ledger, count);
  EXPECT_TRUE(CheckAgreement(report, cost::Fallback::kFill).ok());
  EXPECT_FALSE(CheckAgreement(report, cost::Fallback::kNone).ok());
  EXPECT_EQ(report.phases[2].result.filled_total,
            ledger.phase("decode").cost.flops_matrix().executed);
}

TEST(CheckAgreement, ADifferenceIsAnErrorInAnyCase) {
  const Ledger ledger = TinyLedger();
  std::vector<CountedPhase> count = FaithfulCount(ledger);
  count[1].rows[0].flops += 1;
  const Status status = CheckAgreement(CheckFlops(ledger, count), cost::Fallback::kFill);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message(),
              HasSubstr("1 module differs from the dispatcher; prefill " +
                        count[1].rows[0].scope));
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
