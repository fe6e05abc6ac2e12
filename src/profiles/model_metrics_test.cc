#include "profiles/model_metrics.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

using results::PhaseSample;

TEST(ModelMetrics, AreASampleForEveryTimeOfEveryPage) {
  results::ResultStore store;
  store.sources.push_back({.file = "earlier"});
  const Status imported =
      ImportModelMetrics(R"({
    "schema_version": 1,
    "samples": [{"repeat": 1, "image": "a.png", "generated_tokens": 5, "decode_steps": 4,
                 "page_s": 0.5, "decode_s": 0.25, "decode_tokens_per_s": 16.0}],
    "profiled": {"image": "b.png", "page_s": 0.000000001}})",
                         {.file = "metrics.json"}, PhaseSample::Pass::kUnprofiled, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.sources.size(), 2);
  EXPECT_EQ(store.sources[1].format, "model_metrics");
  ASSERT_EQ(store.phase_samples.size(), 3);
  const PhaseSample& page = store.phase_samples[0];
  EXPECT_EQ(page.source, 1);
  EXPECT_EQ(page.phase, "page");
  EXPECT_EQ(page.page, "a.png");
  EXPECT_EQ(page.repeat, 1);
  EXPECT_EQ(page.duration_ns, 500'000'000);
  EXPECT_EQ(page.tokens, 5);
  EXPECT_EQ(page.pass, PhaseSample::Pass::kUnprofiled);
  EXPECT_EQ(store.phase_samples[1].phase, "decode");
  EXPECT_EQ(store.phase_samples[1].tokens, 4);
  EXPECT_EQ(store.phase_samples[2].pass, PhaseSample::Pass::kProfiled);
  EXPECT_EQ(store.phase_samples[2].duration_ns, 1);
}

TEST(ModelMetrics, OfAProgramAreItsRuns) {
  results::ResultStore store;
  const Status imported =
      ImportModelMetrics(R"({"schema_version": 1, "wall_s": {"median": 2.0},
    "runs": [{"wall_s": 2.0, "user_s": 1.5, "peak_rss_bytes": 7}]})",
                         {.file = "metrics.json"}, PhaseSample::Pass::kUnprofiled, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.phase_samples.size(), 2);
  EXPECT_EQ(store.phase_samples[0].phase, "wall");
  EXPECT_EQ(store.phase_samples[0].duration_ns, 2'000'000'000);
  EXPECT_EQ(store.phase_samples[1].phase, "user");
}

TEST(ModelMetrics, AddNothingIfSomethingIsWrong) {
  struct Case {
    const char* json;
    const char* want;
  };
  const Case cases[] = {
      {"[]", "m: not metrics of schema version 1"},
      {R"({"schema_version": 9, "samples": []})", "m: not metrics of schema version 1"},
      {R"({"schema_version": 1})", "m: missing list 'samples' or 'runs'"},
      {R"({"schema_version": 1, "samples": [{"page_s": 1}, 2]})",
       "m: a sample is not an object"},
      {R"({"schema_version": 1, "samples": [{"page_s": "1"}]})",
       "m: 'page_s': expected seconds"},
      {R"({"schema_version": 1, "samples": [{"page_s": 1e300}]})",
       "m: 'page_s': expected seconds"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.json);
    results::ResultStore store;
    const Status imported =
        ImportModelMetrics(c.json, {.file = "m"}, PhaseSample::Pass::kUnprofiled, store);
    ASSERT_FALSE(imported.ok());
    EXPECT_EQ(imported.error().message(), c.want);
    EXPECT_TRUE(store.sources.empty());
    EXPECT_TRUE(store.phase_samples.empty());
  }
}

}  // namespace
}  // namespace ridgeline::profiles
