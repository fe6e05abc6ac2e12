#include "estimates/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "os/testing/golden.h"

namespace ridgeline::estimates {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Prediction On(const char* gpu, const char* dtype, std::optional<MeasuredRun> run = {}) {
  const EstimateOptions options = {.model = "deepseek_ocr",
                                   .model_path = "/nonexistent/model",
                                   .preset = "full",
                                   .dtype = dtype,
                                   .prompt = "<image>\nRead.",
                                   .max_new_tokens = 65};
  const hardware::Ceiling& ceiling = *FindCeiling(gpu, hardware::Ceilings()).value();
  return Predict(EstimatePage(options, DeviceKind::kGpu).value(),
                 RoofsOf(ceiling, options).value(), std::move(run));
}

MeasuredRun SomeRun() {
  return {.device = "cuda:0: A GPU",
          .samples = 4,
          .vision = Efficiency{.least = 0.4, .most = 0.5, .samples = 4},
          .prefill = Efficiency{.least = 0.2, .most = 0.3, .samples = 4},
          .decode = Efficiency{.least = 0.06, .most = 0.08, .samples = 4}};
}

TEST(Expect, IsWiderTheFewerSamplesThereAre) {
  const Interval one = Expect(1, {.least = 0.1, .most = 0.1, .samples = 1});
  EXPECT_DOUBLE_EQ(one.least_s, 5);
  EXPECT_DOUBLE_EQ(one.most_s, 20);
  const Interval many = Expect(1, {.least = 0.1, .most = 0.1, .samples = 20});
  EXPECT_NEAR(many.least_s, 9.52, 0.01);
  EXPECT_NEAR(many.most_s, 10.5, 0.01);
}

TEST(Expect, IsNeverBelowTheBoundUnlessTheRunWas) {
  EXPECT_DOUBLE_EQ(Expect(1, {.least = 0.8, .most = 0.9, .samples = 1}).least_s, 1);
  EXPECT_LT(Expect(1, {.least = 1.5, .most = 2, .samples = 1}).least_s, 1);
}

TEST(Predict, WithoutARunThereAreOnlyLowerBounds) {
  const Prediction prediction = On("GeForce RTX 5090", "bf16");
  os::ExpectGolden("estimates/predict_5090.txt", ToText(prediction));
  for (const PhasePrediction& phase : prediction.phases) EXPECT_FALSE(phase.expected);
  // 43.1 ms in docs/flops.md, of a prompt of 913 and routers of 2 bytes.
  EXPECT_NEAR(*prediction.phases[2].bounds.lower_s, 0.0431, 0.0002);
}

TEST(Predict, WithARunThereAreIntervals) {
  const Prediction prediction = On("A100 SXM4 80GB", "bf16", SomeRun());
  os::ExpectGolden("estimates/predict_a100_from_run.txt", ToText(prediction));
  const Json json = Json::parse(ToJson(prediction));
  double least = 0;
  for (const char* name : {"vision", "prefill", "decode"}) {
    const Json& phase = json.at("phases").at(name);
    EXPECT_GE(phase.at("expected").at("least_s"), phase.at("lower_bound_s"));
    EXPECT_GT(phase.at("expected").at("most_s"), phase.at("expected").at("least_s"));
    least += phase.at("expected").at("least_s").get<double>();
  }
  EXPECT_DOUBLE_EQ(json.at("phases").at("page").at("expected").at("least_s"), least);
}

TEST(Predict, APageWithoutAnIntervalOfEachPhaseHasNone) {
  MeasuredRun run = SomeRun();
  run.decode.reset();
  EXPECT_FALSE(On("A100 SXM4 80GB", "bf16", run).phases.back().expected);
}

TEST(Predict, WhatAGpuCannotDoIsUnknown) {
  const std::string text = ToText(On("T4", "bf16", SomeRun()));
  EXPECT_THAT(text, HasSubstr("has no bf16"));
  EXPECT_THAT(text, HasSubstr("unknown"));
  EXPECT_THAT(text, Not(HasSubstr(">=")));
}

}  // namespace
}  // namespace ridgeline::estimates
