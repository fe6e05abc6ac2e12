#include "profiles/model_metrics.h"

#include <gtest/gtest.h>

#include <optional>
#include <tuple>
#include <vector>

namespace ridgeline::profiles {
namespace {

using results::PhaseSample;

TEST(ModelMetrics, ReadBackWhatWasWritten) {
  const results::Summary summary = {.count = 3,
                                    .mean = 2.5,
                                    .deviation = 1.5,
                                    .median = 2,
                                    .p90 = 3,
                                    .p99 = 4,
                                    .min = 1,
                                    .max = 5,
                                    .mean_interval = results::ConfidenceInterval{2, 3}};
  const ModelSample sample = {
      .image = "a.png",
      .repeat = 1,
      .epoch = 2,
      .prompt_tokens = 45,
      .generated_tokens = 5,
      .decode_steps = 4,
      .reached_end = true,
      .times = {{"end_to_end", 0.5}, {"vision", 0.1}, {"decode", 0.25}}};
  ModelMetrics metrics = {
      .model = "m",
      .device = "cuda:0",
      .warmup_rounds = 1,
      .warmup_synthetic = true,
      .repeats = 2,
      .sampling = {.num_epochs = 3, .randomize = true, .seed = ~0ULL},
      .peak_rss_bytes = 7,
      .sessions = 2,
      .samples_planned = 4,
      .failures = {{"c.png", "c.png: not an image"}},
      .statistics = {{"end_to_end_s", summary, results::Drift{0.1, 3.5}},
                     {"decode_s", {.count = 1, .mean = 1}, {}}},
      .samples = {sample, {.image = "b.png"}},
      .profiled = sample,
      .utilization = CallUtilization{.device = "cpu",
                                     .peak_flops_per_s = 1e9,
                                     .peak_bytes_per_s = {},
                                     .phases = {{"prefill", 0.25, 9131008}}}};
  metrics.statistics[1].summary = {
      .count = 1, .mean = 1, .median = 1, .p90 = 1, .p99 = 1, .min = 1, .max = 1};
  metrics.profiled->repeat = 0;  // Neither is written for the profiled sample.
  metrics.profiled->epoch = 0;
  const Result<ModelMetrics> read = ParseModelMetrics(ToJson(metrics), "m");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), metrics);
  EXPECT_EQ(ToJson(read.value()), ToJson(metrics));
  EXPECT_EQ(metrics.pages(), 2);
  EXPECT_EQ(metrics.generated_tokens(), 5);
  EXPECT_EQ(metrics.decode_tokens_per_s(), 16.0);
  EXPECT_EQ(Find(metrics, "end_to_end_s")->summary.mean, 2.5);
  EXPECT_EQ(Find(metrics, "vision_s"), nullptr);
}

TEST(ModelMetrics, HaveAThroughputOnlyIfSomethingWasDecoded) {
  ModelMetrics metrics;
  for (const auto& [steps, time_s, want] :
       std::vector<std::tuple<int64_t, double, std::optional<double>>>{
           {4, 0.5, 8.0}, {0, 0.5, {}}, {4, 0, {}}}) {
    metrics.samples = {{.decode_steps = steps, .times = {{"decode", time_s}}}};
    EXPECT_EQ(metrics.decode_tokens_per_s(), want) << steps << " in " << time_s;
  }
}

TEST(ModelMetrics, AreASampleForEveryTimeOfEveryPage) {
  results::ResultStore store;
  store.sources.push_back({.file = "earlier"});
  const Status imported =
      ImportModelMetrics(R"({
    "schema_version": 2,
    "samples": [{"repeat": 1, "image": "a.png", "generated_tokens": 5, "decode_steps": 4,
                 "end_to_end_s": 0.5, "decode_s": 0.25, "decode_tokens_per_s": 16.0}],
    "profiled": {"image": "b.png", "end_to_end_s": 0.000000001}})",
                         {.file = "metrics.json"}, PhaseSample::Pass::kUnprofiled, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.sources.size(), 2);
  EXPECT_EQ(store.sources[1].format, "model_metrics");
  ASSERT_EQ(store.phase_samples.size(), 3);
  const PhaseSample& page = store.phase_samples[0];
  EXPECT_EQ(page.source, 1);
  EXPECT_EQ(page.phase, "end_to_end");
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

TEST(ModelMetrics, HaveTheLatenciesAndFlopsOfCalls) {
  results::ResultStore store;
  const Status imported = ImportModelMetrics(
      R"({"schema_version": 2, "sample_unit": "call", "samples": [],
    "statistics": {"end_to_end_s": {"count": 1, "mean": 2},
                   "itl_s": {"count": 3, "mean": 0.02, "p99": 0.03,
                             "mean_ci95": [0.01, 0.04]}},
    "utilization": {"device": "d", "peak_flops_per_s": 4e9,
                    "phases": [{"name": "decode", "time_s": 0.5, "flops": 1000000000}]}})",
      {.file = "metrics.json"}, PhaseSample::Pass::kUnprofiled, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.token_latencies.size(), 1U);
  EXPECT_EQ(store.token_latencies[0].measure, "itl");
  EXPECT_EQ(store.token_latencies[0].count, 3);
  EXPECT_DOUBLE_EQ(store.token_latencies[0].p99_ns, 3e7);
  EXPECT_DOUBLE_EQ(*store.token_latencies[0].mean_high_ns, 4e7);
  ASSERT_EQ(store.call_flops.size(), 1U);
  EXPECT_EQ(store.call_flops[0].flops, 1'000'000'000);
  EXPECT_EQ(store.call_flops[0].mfu(), 0.5);
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

TEST(ModelMetrics, OfCallsHaveTheRunsThatMadeThem) {
  results::ResultStore store;
  const Status imported = ImportModelMetrics(
      R"({"schema_version": 2, "sample_unit": "call", "samples": [{"end_to_end_s": 0.5}],
    "runs": [{"wall_s": 2.0, "user_s": 1.5}]})",
      {.file = "metrics.json"}, PhaseSample::Pass::kUnprofiled, store);
  ASSERT_TRUE(imported.ok()) << imported.error().message();
  ASSERT_EQ(store.phase_samples.size(), 3);
  EXPECT_EQ(store.phase_samples[0].phase, "end_to_end");
  EXPECT_EQ(store.phase_samples[1].phase, "wall");
  EXPECT_EQ(store.phase_samples[2].phase, "user");
}

TEST(ModelMetrics, AddNothingIfSomethingIsWrong) {
  struct Case {
    const char* json;
    const char* want;
  };
  const Case cases[] = {
      {"[]", "m: not metrics of schema version 1 to 2"},
      {R"({"schema_version": 9, "samples": []})",
       "m: not metrics of schema version 1 to 2"},
      {R"({"schema_version": 1})", "m: missing list 'samples' or 'runs'"},
      {R"({"schema_version": 2, "samples": [{"end_to_end_s": 1}, 2]})",
       "m: a sample is not an object"},
      {R"({"schema_version": 2, "samples": [], "failures": [3]})",
       "m: a failure is not an object"},
      {R"({"schema_version": 2, "samples": [], "profiled": 3})",
       "m: a sample is not an object"},
      {R"({"schema_version": 2, "samples": [], "statistics": {"x": {"count": 1}}})",
       "m: 'statistics.x': missing 'mean'"},
      {R"({"schema_version": 2, "samples": [{"end_to_end_s": "1"}]})",
       "m: 'end_to_end_s': expected seconds"},
      {R"({"schema_version": 2, "samples": [{"end_to_end_s": 1e300}]})",
       "m: 'end_to_end_s': expected seconds"},
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

TEST(ModelMetrics, ReadsTheNamesOfVersion1) {
  const auto metrics = ParseModelMetrics(
      R"({"schema_version": 1, "samples": [{"reached_end": true, "page_s": 0.5}],
          "statistics": {"page_s": {"count": 1, "mean": 0.5}}})",
      "m");
  ASSERT_TRUE(metrics.ok()) << metrics.error().message();
  EXPECT_TRUE(metrics.value().samples[0].reached_end);
  EXPECT_EQ(metrics.value().samples[0].SecondsOf("end_to_end"), 0.5);
  EXPECT_NE(Find(metrics.value(), "end_to_end_s"), nullptr);
}

}  // namespace
}  // namespace ridgeline::profiles
