#include <gtest/gtest.h>

#include "serve/headline_cache.h"

namespace ridgeline::serve {
namespace {

using Json = nlohmann::json;

Json HeadlinesIn(const char* metrics) {
  return Json::parse(HeadlinesOf(Json::parse(metrics)).dump());
}

TEST(RunHeadlinesTest, TakesPhasesThatNoProfilerSlowedDown) {
  const Json headlines = HeadlinesIn(R"({"phases": [
    {"source": "torch_profiler/metrics.json", "profiled": false, "phase": "end_to_end", "mean_s": 3},
    {"source": "torch_profiler/metrics.json", "profiled": false, "phase": "prefill",
     "mean_s": 4, "mean_ci95_s": null, "tokens_per_s": null},
    {"source": "direct_inference/metrics.json", "profiled": false, "phase": "end_to_end",
     "mean_s": 1.5, "mean_ci95_s": [1, 2], "tokens_per_s": 20},
    {"source": "direct_inference/metrics.json", "profiled": true, "phase": "decode",
     "mean_s": 9}]})");
  EXPECT_EQ(headlines["phases"]["end_to_end"],
            Json::parse(R"({"source": "direct_inference/metrics.json", "mean_s": 1.5,
                            "mean_ci95_s": [1.0, 2.0], "tokens_per_s": 20.0})"));
  EXPECT_EQ(headlines["phases"]["prefill"]["mean_s"], 4.0);
  EXPECT_TRUE(headlines["phases"]["prefill"]["mean_ci95_s"].is_null());
  EXPECT_TRUE(headlines["phases"]["decode"].is_null());
}

TEST(RunHeadlinesTest, TakesTheLongestWhateverTheOrder) {
  const Json headlines = HeadlinesIn(R"({
    "kernels": [{"name": "a", "total_s": 1, "share": 0.2}, {"name": "b", "total_s": 2}],
    "operators": [{"name": "x", "self_s": 2, "total_s": 2, "share": 0.5},
                  {"name": "y", "self_s": 1, "total_s": 9}]})");
  EXPECT_EQ(headlines["kernel"],
            Json::parse(R"({"name": "b", "time_s": 2.0, "share": null})"));
  EXPECT_EQ(headlines["operator"],
            Json::parse(R"({"name": "x", "time_s": 2.0, "share": 0.5})"));
}

TEST(RunHeadlinesTest, WhatIsNotAsItShouldBeIsNull) {
  const Json nothing = Json::parse(
      R"({"phases": {"end_to_end": null, "prefill": null, "decode": null},
          "kernel": null, "operator": null})");
  for (const char* metrics :
       {"null", "[]", "3", "{}", R"({"phases": 3, "kernels": {}, "operators": "x"})",
        R"({"phases": [3, null, {"phase": 1}, {"phase": "end_to_end", "profiled": false}],
            "kernels": [{"name": 3, "total_s": 1}, {"name": "a", "total_s": "1"}]})"}) {
    SCOPED_TRACE(metrics);
    EXPECT_EQ(HeadlinesIn(metrics), nothing);
  }
}

}  // namespace
}  // namespace ridgeline::serve
