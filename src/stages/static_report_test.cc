#include "report/sections/static_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/estimate.h"
#include "models/registry.h"
#include "os/testing/golden.h"

namespace ridgeline::stages {
namespace {

using Json = nlohmann::json;
using hardware::CeilingSource;
using profiles::StaticReport;
using testing::HasSubstr;

StaticReport Report(const char* preset, const hardware::Ceilings& ceilings) {
  models::EstimateOptions options = {
      .model = "deepseek_ocr",
      .model_path = "/nonexistent/model",
      .preset = preset,
      .prompt = "<image>\n<|grounding|>Convert the document. ",
      .max_new_tokens = 32};
  const bool is_tiny = std::string(preset) == "tiny";
  if (is_tiny) {
    options.preprocess = {.base_size = 256, .image_size = 256, .crop_mode = false};
  }
  return {models::EstimateSample(
              options, is_tiny ? hardware::DeviceKind::kCpu : hardware::DeviceKind::kGpu)
              .value(),
          {"cpu: A CPU", hardware::DeviceKind::kCpu, ceilings},
          std::nullopt};
}

hardware::Ceilings Known() {
  return {.arithmetic = hardware::Arithmetic::kFp32,
          .compute_flops_per_s = 1e11,
          .peak_flops_source = {CeilingSource::Kind::kMeasured,
                                "measured: avx2, 2 threads, best of 12 rounds"},
          .memory_bytes_per_s = 2e10,
          .peak_bandwidth_source = {CeilingSource::Kind::kConfig, "hardware.peak_gbps"}};
}

hardware::Ceilings NotKnown() {
  const CeilingSource origin = {CeilingSource::Kind::kUnknown,
                                "it is new; give it with hardware.peak_tflops"};
  return {.arithmetic = hardware::Arithmetic::kBf16,
          .peak_flops_source = origin,
          .peak_bandwidth_source = origin};
}

TEST(StaticReport, IsWrittenForPrograms) {
  using Ordered = nlohmann::ordered_json;
  Ordered json = Ordered::parse(profiles::ToJson(Report("tiny", Known())));
  // One module is enough as an example.
  Ordered& modules = json["modules"];
  modules = Ordered{{"vision", modules["vision"]["modules"][2]}};
  os::ExpectGolden("models/tiny_static_compute.json", json.dump(1) + "\n");
}

TEST(StaticReport, IsWrittenForPeople) {
  os::ExpectGolden("models/tiny_static_compute.md",
                   report::StaticReportMarkdown(Report("tiny", Known())));
  os::ExpectGolden("models/tiny_unknown_ceilings.md",
                   report::StaticReportMarkdown(Report("tiny", NotKnown())));
}

TEST(StaticReport, UnknownRoofsGiveNoTimeAnywhere) {
  const StaticReport report = Report("full", NotKnown());
  const Json json = Json::parse(profiles::ToJson(report));
  EXPECT_TRUE(json.at("ceilings").at("compute_flops_per_s").is_null());
  EXPECT_TRUE(json.at("ceilings").at("ridge_flops_per_byte").is_null());
  for (const Json& phase : json.at("phases")) {
    EXPECT_TRUE(phase.at("roofline").at("time_s").is_null());
    EXPECT_EQ(phase.at("roofline").at("bound"), "unknown");
  }
  EXPECT_TRUE(json.at("end_to_end").at("roofline").at("time_s").is_null());
  EXPECT_THAT(report::StaticReportMarkdown(report),
              HasSubstr("unknown: it is new; give it with hardware.peak_tflops"));
}

// Numbers from docs/flops.md.
TEST(StaticReport, OfTheFullModelHasItsParametersAndFlops) {
  const StaticReport report = Report("full", Known());
  const Json json = Json::parse(profiles::ToJson(report));
  EXPECT_EQ(json.at("parameters").at("total"), 3'336'106'240);
  EXPECT_EQ(json.at("parameters").at("active"), 574'127'360);
  EXPECT_EQ(json.at("phases").at("vision").at("flops").at("matrix").at("executed"),
            3'468'866'060'288);
  EXPECT_EQ(json.at("shapes").at("image_tokens"), 903);
  EXPECT_TRUE(json.at("dispatcher").is_null());
  EXPECT_THAT(report::StaticReportSummary(report), HasSubstr("3.34 B parameters, 4.3"));
  // The tree adds up to the phase.
  uint64_t sum = 0;
  for (const Json& module : json.at("modules").at("decode").at("modules")) {
    for (const Json& amount : module.at("flops")) {
      sum += amount.at("executed").get<uint64_t>();
    }
  }
  EXPECT_EQ(json.at("phases").at("decode").at("flops").at("total").at("executed"), sum);
}

TEST(StaticReport, IsReadBack) {
  const StaticReport report = Report("tiny", Known());
  const auto read = profiles::ParseStaticCompute(profiles::ToJson(report), "report");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value().model, "deepseek_ocr");
  EXPECT_EQ(read.value().device, "cpu: A CPU");
  EXPECT_EQ(read.value().ceilings.flops_per_s, 1e11);
  EXPECT_EQ(read.value().ceilings.bytes_per_s, 2e10);
  EXPECT_EQ(read.value().preprocess.image_size, 256);
  EXPECT_FALSE(read.value().preprocess.crop_mode);
  EXPECT_EQ(read.value().bytes.activations, report.estimate.shape.bytes.activations);
  EXPECT_EQ(read.value().text_tokens, report.estimate.shape.text_tokens());
  ASSERT_EQ(read.value().costs.size(), 4u);
  EXPECT_EQ(read.value().costs[2].phase, "decode");
  EXPECT_EQ(static_cast<uint64_t>(*read.value().costs[2].flops_matrix),
            report.estimate.ledger.phase("decode").cost.flops_matrix().executed.value());
  EXPECT_EQ(read.value().costs[3].phase, "end_to_end");
  const auto model = models::OpenModel(
      read.value().model, {.config_json = read.value().config_json, .origin = "report"});
  ASSERT_TRUE(model.ok()) << model.error().message();
  EXPECT_EQ(model.value()->parameters(), report.estimate.parameters);
}

TEST(StaticReport, ShowsTheCountOfTheDispatcher) {
  StaticReport report = Report("tiny", Known());
  const cost::CountedPhase vision = {
      "vision", {{"sam.patch_embed", cost::CostClass::kConvolution, 5}}};
  report.flop_check = cost::CheckFlops(report.estimate.ledger, {&vision, 1});
  const Json json = Json::parse(profiles::ToJson(report));
  const Json& row = json.at("dispatcher").at("vision").at("rows").at(0);
  EXPECT_EQ(row.at("scope"), "sam.patch_embed");
  EXPECT_EQ(row.at("counted"), 5);
  EXPECT_LT(row.at("difference"), 0);
  EXPECT_THAT(report::StaticReportMarkdown(report),
              HasSubstr("not counted, in closed form"));
}

}  // namespace
}  // namespace ridgeline::stages
