#include "report/model_metrics.h"

#include <gtest/gtest.h>

namespace ridgeline::report {
namespace {

TEST(ModelMetrics, ReadsWhatAReportNeeds) {
  const Result<ModelMetrics> read = ParseModelMetrics(R"({
    "schema_version": 1, "model": "deepseek_ocr", "device": "cpu", "warmup_rounds": 2,
    "repeats": 2, "peak_rss_bytes": 7,
    "statistics": {
      "page_s": {"count": 4, "mean": 2.5, "std": 1.5, "median": 2, "p90": 3, "p99": 4,
                 "min": 1, "max": 5, "mean_ci95": [2, 3],
                 "drift": {"change": 0.1, "z": 3.5}},
      "decode_s": {"count": 1, "mean": 1, "std": null, "median": 1, "p90": 1, "p99": 1,
                   "min": 1, "max": 1, "mean_ci95": null, "drift": null}},
    "samples": [{"image": "a.png", "generated_tokens": 3},
                {"image": "a.png", "generated_tokens": 4},
                {"image": "b.png", "generated_tokens": 5}]})",
                                                      "m");
  ASSERT_TRUE(read.ok()) << read.error().message();
  const ModelMetrics& metrics = read.value();
  EXPECT_EQ(metrics.model, "deepseek_ocr");
  EXPECT_EQ(metrics.pages, 2);
  EXPECT_EQ(metrics.samples, 3);
  EXPECT_EQ(metrics.generated_tokens, 12);
  const MeasuredQuantity* page = Find(metrics, "page_s");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->summary.mean, 2.5);
  EXPECT_EQ(page->summary.mean_interval->high, 3);
  EXPECT_EQ(page->drift->change, 0.1);
  EXPECT_FALSE(Find(metrics, "decode_s")->summary.deviation);
  EXPECT_FALSE(Find(metrics, "decode_s")->drift);
  EXPECT_EQ(Find(metrics, "vision_s"), nullptr);
}

TEST(ModelMetrics, SaysWhatIsWrong) {
  struct Case {
    const char* json;
    const char* want;
  };
  const Case cases[] = {
      {"{", "m: not metrics of schema version 1"},
      {R"({"schema_version": 2})", "m: not metrics of schema version 1"},
      {R"({"schema_version": 1})", "m: missing 'samples' or 'statistics'"},
      {R"({"schema_version": 1, "samples": [1], "statistics": {}})",
       "m: 'samples': expected a list of objects"},
      {R"({"schema_version": 1, "samples": [], "statistics": {"x": {"count": 1}}})",
       "m: 'statistics.x': missing 'mean'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.json);
    const Result<ModelMetrics> read = ParseModelMetrics(c.json, "m");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message(), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::report
