#include "report/sections/phases.h"

#include <gtest/gtest.h>

#include "os/testing/golden.h"
#include "report/sections/model_summary.h"
#include "report/sections/operators.h"

namespace ridgeline::report {
namespace {

using profiles::EventKind;
using profiles::MeasuredQuantity;
using profiles::ModelMetrics;

MeasuredQuantity Quantity(const char* name, double mean) {
  MeasuredQuantity quantity;
  quantity.name = name;
  quantity.summary = {
      .count = 6,
      .mean = mean,
      .deviation = mean / 20,
      .median = mean * 0.99,
      .p90 = mean * 1.1,
      .p99 = mean * 1.2,
      .min = mean * 0.9,
      .max = mean * 1.2,
      .mean_interval = results::ConfidenceInterval{mean * 0.97, mean * 1.03}};
  return quantity;
}

ModelMetrics Metrics() {
  ModelMetrics metrics = {.model = "deepseek_ocr",
                          .device = "cpu",
                          .warmup_rounds = 1,
                          .repeats = 2,
                          .peak_rss_bytes = 240'000'000};
  for (const char* const image : {"1", "2", "3", "1", "2", "3"}) {
    metrics.samples.push_back({.image = image, .generated_tokens = 32});
  }
  metrics.statistics = {
      Quantity("end_to_end_s", 0.2), Quantity("preprocess_s", 0.02),
      Quantity("vision_s", 0.08),    Quantity("prefill_s", 0.1),
      Quantity("decode_s", 0.07),    Quantity("decode_tokens_per_s", 443)};
  return metrics;
}

profiles::OperatorProfile Recorded() {
  profiles::OperatorProfile profile;
  profile.recorder = "a recorder";
  profile.image = "samples/page_1.png";
  profile.generated_tokens = 32;
  profile.wall_s = 0.21;
  profile.unprofiled_before_s = 0.2;
  profile.unprofiled_after_s = 0.202;
  profile.overhead_per_event_ns = 81.4;
  profile.events = 12;
  profile.operators = {
      {"aten::mm",
       "[[2,3],[3,4]]",
       {.calls = 9,
        .self_ns = 150'000'000,
        .total_ns = 150'000'000,
        .bytes_self = 4096,
        .bytes_total = 4096,
        .flops = 48'000'000}},
      {"decode",
       std::nullopt,
       {.kind = EventKind::kAnnotation,
        .calls = 1,
        .self_ns = 40'000'000,
        .total_ns = 70'000'000}},
      {"aten::copy_",
       "[[2],[2],[]]",
       {.calls = 2, .self_ns = 19'500'000, .total_ns = 20'000'000, .bytes_self = -128}}};
  profile.modules = {{"decoder.layer0.attn", 9, 150'000'000, 0, 48'000'000},
                     {"", 2, 19'500'000, 0, 0}};
  return profile;
}

analysis::MeasuredRun Efficiency() {
  analysis::MeasuredRun run;
  run.device = "cpu: A CPU";
  run.ceilings = {1e11, 2e10};
  run.samples = 6;
  cost::Cost cost;
  cost.flops(cost::CostClass::kGemm) = {cost::Count(100'000'000),
                                        cost::Count(100'000'000)};
  run.totals = {{"vision", cost, 0.48}, {"end_to_end", cost, 1.2}};
  return run;
}

TEST(ProfileReport, TellsEverythingThatWasFoundOut) {
  profiles::OperatorProfile profile = Recorded();
  profile.has_shapes = true;
  profile.has_memory = true;
  profile.is_grouped_by_shapes = true;
  profile.notes = {"activities has cuda, but there is no CUDA device here"};
  ModelMetrics metrics = Metrics();
  metrics.statistics[4].drift = results::Drift{0.081, 3.2};
  const ProfileReport report = {metrics, profile, Efficiency(), ""};
  os::ExpectGolden("reports/report.md", ReportMarkdown(report));
  os::ExpectGolden("reports/operators_max.md", OperatorsMarkdown(profile));
  os::ExpectGolden("reports/stakeholder_summary.md", StakeholderSummary(report));
}

TEST(ProfileReport, TellsWhatIsMissing) {
  ModelMetrics metrics = Metrics();
  metrics.samples.resize(1);
  for (MeasuredQuantity& quantity : metrics.statistics) {
    quantity.summary.count = 1;
    quantity.summary.deviation.reset();
    quantity.summary.mean_interval.reset();
  }
  const ProfileReport report = {metrics, std::nullopt, std::nullopt,
                                "the ceilings of this device are unknown"};
  os::ExpectGolden("reports/report_minimal.md", ReportMarkdown(report));
  os::ExpectGolden("reports/stakeholder_summary_minimal.md", StakeholderSummary(report));
}

TEST(ModelSummaryMarkdown, KeepsNamesWithNewlinesOnTheirLine) {
  const std::string text = ModelSummaryMarkdown({.model = "a\nb",
                                                 .torch = "2\n3",
                                                 .call = "c\nd|",
                                                 .phases = {{.name = "e\nf"}},
                                                 .layers = {{.name = "g\nh"}},
                                                 .uncounted = {{.name = "i\nj"}}});
  for (const char* want : {"- Class: `a b`, ", "PyTorch 2 3", "\n`c d\\|`: ", "| e f |",
                           "| g h |", "- `i j`: "}) {
    EXPECT_NE(text.find(want), std::string::npos) << want << '\n' << text;
  }
}

TEST(OperatorsMarkdown, HasOnlyTheColumnsThatWereRecorded) {
  os::ExpectGolden("reports/operators_min.md", OperatorsMarkdown(Recorded()));
}

}  // namespace
}  // namespace ridgeline::report
