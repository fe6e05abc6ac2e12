#include "estimates/dispatcher_count.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/deepseek_ocr/page_shapes.h"
#include "models/deepseek_ocr/presets.h"

namespace ridgeline::estimates {
namespace {

namespace ocr = models::deepseek_ocr;
using cost::CountedRow;
using testing::HasSubstr;
using Kind = cost::ReconciledRow::Kind;

ocr::Ledger Tiny() {
  ocr::LedgerShapes shapes = {.views = {{.side = 256, .count = 1}},
                              .prompt_tokens = 30,
                              .image_tokens = 21,
                              .decode_steps = 3};
  return ocr::MakeLedger(*ocr::Preset("tiny"), shapes).value();
}

// A dispatcher that counts what the ledger has.
std::vector<CountedRow> Faithful(const cost::CostNode& phase) {
  std::vector<CountedRow> rows;
  for (const auto& row : cost::Reconcile(phase, {}).rows) {
    rows.push_back({row.scope, row.cost_class, *row.ledger});
  }
  return rows;
}

DispatcherCount FaithfulCount(const ocr::Ledger& ledger) {
  return {Faithful(ledger.vision), Faithful(ledger.prefill), Faithful(ledger.decode)};
}

TEST(DispatcherCount, IsReadFromJson) {
  const auto count = ParseDispatcherCount(
      R"({"schema_version": 1, "phases": {"vision": [
           {"scope": "sam.block0.attn.qkv", "class": "gemm", "flops": 123}]}})",
      "d.json");
  ASSERT_TRUE(count.ok()) << count.error().message();
  ASSERT_EQ(count.value().vision.size(), 1u);
  EXPECT_EQ(count.value().vision[0].scope, "sam.block0.attn.qkv");
  EXPECT_EQ(count.value().vision[0].flops, cost::Count(123));
  EXPECT_TRUE(count.value().decode.empty());
}

TEST(DispatcherCount, RefusesWhatIsNone) {
  struct Case {
    const char* json;
    const char* message;
  };
  const Case cases[] = {
      {"[", "not a FLOP count"},
      {R"({"schema_version": 1})", "not a FLOP count"},
      {R"({"phases": {}})", "expected schema_version 1, got null"},
      {R"({"schema_version": 2, "phases": {}})", "expected schema_version 1, got 2"},
      {R"({"schema_version": 1, "phases": {"vision": 3}})", "expected a list"},
      {R"({"schema_version": 1, "phases": {"vision": [{"scope": "a"}]}})",
       "expected {scope, class, flops}"},
      {R"({"schema_version": 1, "phases": {"vision":
           [{"scope": "a", "class": "gemm", "flops": -1}]}})",
       "expected {scope, class, flops}"},
      {R"({"schema_version": 1, "phases": {"vision":
           [{"scope": "a", "class": "magic", "flops": 1}]}})",
       "unknown class of FLOPs: 'magic'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.json);
    const auto count = ParseDispatcherCount(c.json, "d.json");
    ASSERT_FALSE(count.ok());
    EXPECT_THAT(count.error().message(), HasSubstr(c.message));
    EXPECT_THAT(count.error().message(), HasSubstr("d.json: "));
  }
}

TEST(CheckAgreement, HoldsForTheSameCount) {
  const ocr::Ledger ledger = Tiny();
  const DispatcherReport report = ReconcileAll(ledger, FaithfulCount(ledger));
  EXPECT_GT(report.CountOf(Kind::kEqual), 50u);
  EXPECT_TRUE(CheckAgreement(report, Fallback::kNone).ok());
  EXPECT_EQ(report.phases[0].result.counted_total,
            ledger.vision.cost.flops_matrix().executed);
}

TEST(CheckAgreement, FillsWhatWasNotCountedOnlyIfItMay) {
  const ocr::Ledger ledger = Tiny();
  DispatcherCount count = FaithfulCount(ledger);
  count.decode.clear();
  const DispatcherReport report = ReconcileAll(ledger, count);
  EXPECT_TRUE(CheckAgreement(report, Fallback::kFill).ok());
  EXPECT_FALSE(CheckAgreement(report, Fallback::kNone).ok());
  EXPECT_EQ(report.phases[2].result.filled_total,
            ledger.decode.cost.flops_matrix().executed);
}

TEST(CheckAgreement, ADifferenceIsAnErrorInAnyCase) {
  const ocr::Ledger ledger = Tiny();
  DispatcherCount count = FaithfulCount(ledger);
  count.prefill[0].flops += 1;
  const Status status = CheckAgreement(ReconcileAll(ledger, count), Fallback::kFill);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message(),
              HasSubstr("1 module differs from the dispatcher; prefill " +
                        count.prefill[0].scope));
}

}  // namespace
}  // namespace ridgeline::estimates
