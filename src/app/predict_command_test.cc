#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/estimate.h"
#include "os/testing/golden.h"
#include "report/printers/prediction.h"

namespace ridgeline::app {
namespace {

using analysis::Efficiency;
using analysis::Expect;
using analysis::MeasuredRun;
using analysis::PhasePrediction;
using analysis::TimeInterval;
using report::Prediction;
using testing::HasSubstr;
using testing::Not;

Prediction On(const char* gpu, const char* dtype, std::optional<MeasuredRun> run = {},
              int64_t batch = 1) {
  const models::EstimateOptions options = {.model = "deepseek_ocr",
                                           .model_path = "/nonexistent/model",
                                           .preset = "full",
                                           .device = {.dtype = dtype},
                                           .prompt = "<image>\nRead.",
                                           .max_new_tokens = 65,
                                           .batch = batch};
  const hardware::GpuSpec& ceiling =
      *hardware::FindGpuSpec(gpu, hardware::GpuSpecs()).value();
  return report::MakePrediction(
      models::EstimateSample(options, hardware::DeviceKind::kGpu).value(),
      hardware::CeilingsOf(ceiling, options.device).value(), std::move(run));
}

MeasuredRun RunOfFourSamples() {
  const auto phase = [](const char* name, double least, double most) {
    return analysis::PhaseTotal{
        .name = name,
        .efficiency = Efficiency{.least = least, .most = most, .samples = 4}};
  };
  return {.device = "cuda:0: A GPU",
          .totals = {phase("vision", 0.4, 0.5), phase("prefill", 0.2, 0.3),
                     phase("decode", 0.06, 0.08)},
          .samples = 4};
}

TEST(Expect, IsWiderTheFewerSamplesThereAre) {
  const TimeInterval one = Expect(1, {.least = 0.1, .most = 0.1, .samples = 1});
  EXPECT_DOUBLE_EQ(one.low_s, 5);
  EXPECT_DOUBLE_EQ(one.high_s, 20);
  const TimeInterval many = Expect(1, {.least = 0.1, .most = 0.1, .samples = 20});
  EXPECT_NEAR(many.low_s, 9.52, 0.01);
  EXPECT_NEAR(many.high_s, 10.5, 0.01);
}

TEST(Expect, IsNeverBelowTheBoundUnlessTheRunWas) {
  EXPECT_DOUBLE_EQ(Expect(1, {.least = 0.8, .most = 0.9, .samples = 1}).low_s, 1);
  EXPECT_LT(Expect(1, {.least = 1.5, .most = 2, .samples = 1}).low_s, 1);
}

TEST(Predict, WithoutARunThereAreOnlyLowerBounds) {
  const Prediction prediction = On("GeForce RTX 5090", "bf16");
  os::ExpectGolden("models/predict_5090.txt", ToText(prediction));
  for (const PhasePrediction& phase : prediction.phases) EXPECT_FALSE(phase.expected);
  // 43.1 ms in docs/flops.md, for a prompt of 913 tokens and routers of 2 bytes.
  EXPECT_NEAR(*prediction.phases[2].bounds.lower_s, 0.0431, 0.0002);
}

TEST(Predict, WithARunThereAreIntervals) {
  const Prediction prediction = On("A100 SXM4 80GB", "bf16", RunOfFourSamples());
  os::ExpectGolden("models/predict_a100_from_run.txt", ToText(prediction));
  const nlohmann::json json = nlohmann::json::parse(ToJson(prediction));
  double least = 0;
  for (const char* name : {"vision", "prefill", "decode"}) {
    const nlohmann::json& phase = json.at("phases").at(name);
    EXPECT_GE(phase.at("expected").at("low_s"), phase.at("roofline_s"));
    EXPECT_GT(phase.at("expected").at("high_s"), phase.at("expected").at("low_s"));
    least += phase.at("expected").at("low_s").get<double>();
  }
  EXPECT_DOUBLE_EQ(json.at("phases").at("end_to_end").at("expected").at("low_s"), least);
}

TEST(Predict, APageWithoutAnIntervalOfEachPhaseHasNone) {
  MeasuredRun run = RunOfFourSamples();
  run.totals[2].efficiency.reset();
  EXPECT_FALSE(On("A100 SXM4 80GB", "bf16", run).phases.back().expected);
}

TEST(Predict, ABatchHasBoundsForEveryChoiceOfExperts) {
  const Prediction prediction = On("GeForce RTX 5090", "bf16", {}, 8);
  os::ExpectGolden("models/predict_5090_batch_8.txt", ToText(prediction));
  const nlohmann::json json = nlohmann::json::parse(ToJson(prediction));
  EXPECT_EQ(json.at("batch"), 8);
  EXPECT_EQ(json.at("experts_read_per_step").at("min"), 6);
  EXPECT_EQ(json.at("experts_read_per_step").at("max"), 48);
  for (const char* name : {"decode", "end_to_end"}) {
    const nlohmann::json& phase = json.at("phases").at(name);
    EXPECT_LT(phase.at("roofline_s"), phase.at("roofline_uniform_routing_s"));
    EXPECT_LT(phase.at("roofline_uniform_routing_s"), phase.at("roofline_max_experts_s"));
  }
}

TEST(Predict, TheIntervalOfABatchHoldsEveryChoiceOfExperts) {
  const Prediction one = On("A100 SXM4 80GB", "bf16", RunOfFourSamples());
  const Prediction batch = On("A100 SXM4 80GB", "bf16", RunOfFourSamples(), 8);
  const PhasePrediction& decode = batch.phases[2];
  EXPECT_GE(decode.expected->low_s, one.phases[2].expected->low_s);
  EXPECT_GT(
      decode.expected->high_s,
      Expect(*decode.bounds.lower_s, *RunOfFourSamples().totals[2].efficiency).high_s);
  EXPECT_THAT(ToText(batch), HasSubstr("measured with a batch of 1"));
  EXPECT_EQ(one.phases[2].routed.most_s, one.phases[2].bounds.lower_s);
}

TEST(Predict, MorePagesNeverTakeLongerEachAndNeverLessTogether) {
  std::vector<PhasePrediction> before = On("L4", "fp16").phases;
  for (const int64_t pages : {2, 3, 7, 64, 1000}) {
    SCOPED_TRACE(pages);
    std::vector<PhasePrediction> phases = On("L4", "fp16", {}, pages).phases;
    const std::vector<PhasePrediction> one = On("L4", "fp16").phases;
    for (size_t i = 0; i < phases.size(); ++i) {
      EXPECT_GE(*phases[i].bounds.lower_s, *before[i].bounds.lower_s);
      EXPECT_GE(*phases[i].routed.uniform_s, *phases[i].bounds.lower_s);
      EXPECT_GE(*phases[i].routed.most_s, *phases[i].routed.uniform_s);
      EXPECT_LE(*phases[i].routed.most_s,
                *one[i].bounds.lower_s * static_cast<double>(pages) * (1 + 1e-9));
    }
    before = std::move(phases);
  }
}

TEST(Predict, WhatAGpuCannotDoIsUnknown) {
  const std::string text = ToText(On("T4", "bf16", RunOfFourSamples()));
  EXPECT_THAT(text, HasSubstr("has no bf16"));
  EXPECT_THAT(text, HasSubstr("unknown"));
  EXPECT_THAT(text, Not(HasSubstr(">=")));
}

}  // namespace
}  // namespace ridgeline::app
