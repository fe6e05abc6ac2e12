#include "models/measured_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/estimate.h"

namespace ridgeline::models {
namespace {

using Json = nlohmann::json;
using profiles::PhaseView;
using profiles::StaticReport;
using testing::HasSubstr;

constexpr double kFlopsPerS = 1e13;
constexpr double kBytesPerS = 1e12;

// The full model on a GPU with these ceilings; pages have crops.
StaticReport Report() {
  const EstimateOptions options = {.model = "deepseek_ocr",
                                   .model_path = "/nonexistent/model",
                                   .preset = "full",
                                   .prompt = "<image>\nRead.",
                                   .max_new_tokens = 65};
  hardware::Ceilings ceilings;
  ceilings.compute_flops_per_s = kFlopsPerS;
  ceilings.memory_bytes_per_s = kBytesPerS;
  return {EstimateSample(options, hardware::DeviceKind::kGpu).value(),
          {"cuda:0: A GPU", hardware::DeviceKind::kGpu, ceilings},
          std::nullopt};
}

// A page that took `factor` times its roofline time.
Json Sample(const StaticReport& report, double factor) {
  const std::vector<PhaseView> phases = profiles::PhasesOf(report);
  const double vision_s = *phases[0].bounds.lower_s * factor;
  return {{"prompt_tokens", report.estimate.shape.prompt_tokens},
          {"decode_steps", report.estimate.shape.decode_steps},
          {"vision_s", vision_s},
          {"prefill_s", vision_s + *phases[1].bounds.lower_s * factor},
          {"decode_s", *phases[2].bounds.lower_s * factor}};
}

TEST(MeasureRun, EfficiencyIsTheBoundOverTheTime) {
  const StaticReport report = Report();
  const Json metrics = {{"schema_version", 1},
                        {"samples", {Sample(report, 4), Sample(report, 2)}}};
  const auto run = MeasureRun(profiles::ToJson(report), metrics.dump());
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run.value().device, "cuda:0: A GPU");
  EXPECT_EQ(run.value().samples, 2u);
  for (const char* const name : {"vision", "prefill", "decode"}) {
    const auto& phase = run.value().Find(name)->efficiency;
    ASSERT_TRUE(phase) << name;
    EXPECT_NEAR(phase->least, 0.25, 1e-9);
    EXPECT_NEAR(phase->most, 0.5, 1e-9);
    EXPECT_EQ(phase->samples, 2u);
  }
}

// 1 + 6 text tokens and 273 image tokens: no crops, regardless of the page in the report.
TEST(MeasureRun, CropsFollowFromTheTokens) {
  const StaticReport report = Report();
  Json small = Sample(report, 1);
  small["prompt_tokens"] = report.estimate.shape.text_tokens() + 273;
  const Json metrics = {{"schema_version", 1}, {"samples", {small}}};
  const auto run = MeasureRun(profiles::ToJson(report), metrics.dump());
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_LT(run.value().Find("vision")->efficiency->most,
            0.6);  // Much less work in the same time.
}

TEST(MeasureRun, WhatWasNotMeasuredIsNothing) {
  const StaticReport report = Report();
  Json sample = Sample(report, 2);
  sample["decode_steps"] = 0;
  sample.erase("vision_s");
  const Json metrics = {{"schema_version", 1}, {"samples", {sample}}};
  const auto run = MeasureRun(profiles::ToJson(report), metrics.dump());
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(run.value().Find("decode")->efficiency);
  EXPECT_FALSE(run.value().Find("vision")->efficiency);
}

// Such times and ceilings would give efficiencies of 0 or infinity.
TEST(MeasureRun, RefusesTimesAndRoofsThatAreNone) {
  const StaticReport report = Report();
  for (const char* key : {"vision_s", "prefill_s", "decode_s"}) {
    for (const double value : {1e308, -1.0, 5e-324}) {
      Json sample = Sample(report, 2);
      sample[key] = value;
      const auto run =
          MeasureRun(profiles::ToJson(report),
                     Json{{"schema_version", 1}, {"samples", {sample}}}.dump());
      ASSERT_FALSE(run.ok()) << key << ' ' << value;
      EXPECT_THAT(run.error().message(), HasSubstr(key));
    }
  }
  Json sample = Sample(report, 2);
  sample["prefill_s"] = sample["vision_s"].get<double>() / 2;
  const Json metrics = {{"schema_version", 1}, {"samples", {sample}}};
  EXPECT_THAT(MeasureRun(profiles::ToJson(report), metrics.dump()).error().message(),
              HasSubstr("prefill_s is less than vision_s"));
  for (const double ceiling : {5e-324, 1e308, -1.0}) {
    Json odd = Json::parse(profiles::ToJson(report));
    odd["ceilings"]["memory_bytes_per_s"] = ceiling;
    const auto run = MeasureRun(
        odd.dump(), Json{{"schema_version", 1}, {"samples", {Sample(report, 2)}}}.dump());
    ASSERT_FALSE(run.ok()) << ceiling;
    EXPECT_THAT(run.error().message(), HasSubstr("not a peak rate"));
  }
}

TEST(MeasureRun, SaysWhatIsWrong) {
  StaticReport report = Report();
  const std::string good = profiles::ToJson(report);
  const Json metrics = {{"schema_version", 1}, {"samples", {Sample(report, 2)}}};
  Json strange = metrics;
  strange["samples"][0]["prompt_tokens"] = 5;
  report.device.ceilings.memory_bytes_per_s.reset();
  struct Case {
    std::string report;
    std::string metrics;
    const char* message;
  };
  const Case cases[] = {
      {"{}", metrics.dump(), "not a static analysis of schema version 1"},
      {"[", metrics.dump(), "not a static analysis of schema version 1"},
      {R"({"schema_version": 1})", metrics.dump(), "static_compute.json"},
      {good, "{}", "metrics.json: not metrics of schema version 1"},
      {good, "[", "metrics.json: not metrics of schema version 1"},
      {good, R"({"schema_version": 1, "samples": []})", "no samples"},
      {good, strange.dump(), "a prompt of 5 tokens does not fit"},
      {profiles::ToJson(report), metrics.dump(), "is unknown"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const auto run = MeasureRun(c.report, c.metrics);
    ASSERT_FALSE(run.ok());
    EXPECT_THAT(run.error().message(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace ridgeline::models
