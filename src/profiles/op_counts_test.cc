#include "profiles/op_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

using testing::HasSubstr;

TEST(OpCounts, ReadBackWhatWasWritten) {
  const OpCounts counts = {
      .phases = {{"vision", {{"sam.block0.attn.qkv", "gemm", 123}}, {}},
                 {"prefill", {}, {}}},
      .views = {{256, 1}},
      .prompt_tokens = 45,
      .image_tokens = 38,
      .decode_steps = 3};
  const Result<OpCounts> read = ParseOpCounts(ToJson(counts), "d.json");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), counts);
  EXPECT_EQ(ToJson(read.value()), ToJson(counts));
}

TEST(OpCounts, AreRowsOfTheirPhases) {
  const auto counts = ParseOpCounts(
      R"({"schema_version": 1, "phases": {"vision": [
           {"scope": "sam.block0.attn.qkv", "class": "gemm", "flops": 123}]}})",
      "d.json");
  ASSERT_TRUE(counts.ok()) << counts.error().message();
  EXPECT_FALSE(counts.value().decode_steps);
  const std::vector<cost::CountedPhase> phases = PhasesOf(counts.value());
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0].name, "vision");
  ASSERT_EQ(phases[0].rows.size(), 1u);
  EXPECT_EQ(phases[0].rows[0].scope, "sam.block0.attn.qkv");
  EXPECT_EQ(phases[0].rows[0].flops, cost::Count(123));
}

TEST(OpCounts, RefuseOtherFiles) {
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
    const auto count = ParseOpCounts(c.json, "d.json");
    ASSERT_FALSE(count.ok());
    EXPECT_THAT(count.error().message(), HasSubstr(c.message));
    EXPECT_THAT(count.error().message(), HasSubstr("d.json: "));
  }
}

}  // namespace
}  // namespace ridgeline::profiles
