#include "profiles/model_summary.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

TEST(ModelSummary, IsReadBackAsItWasWritten) {
  ModelSummary summary;
  summary.model = "GPT";
  summary.torch = "2.13.0";
  summary.modules = 12;
  summary.parameters = 1000;
  summary.parameters_tied = 100;
  summary.weights_bytes = 4000;
  summary.buffers_bytes = 16;
  summary.kv_cache_bytes_per_token = 512;
  summary.call = "GPT.forward";
  summary.prompt_tokens = 7;
  summary.flops = 5000;
  summary.phases = {{"prefill", {}, 4000}, {"decode", {}, {}}};
  summary.layers = {{"blocks.0", 600, 4500}};
  const auto read = ParseModelSummary(ToJson(summary), "m.json");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), summary);
}

TEST(ModelSummary, RefusesOtherFiles) {
  for (const char* text : {"", "[]", "{}", R"({"schema_version": 2})"}) {
    const auto read = ParseModelSummary(text, "m.json");
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().message(), "m.json: not a model summary of schema version 1");
  }
}

}  // namespace
}  // namespace ridgeline::profiles
