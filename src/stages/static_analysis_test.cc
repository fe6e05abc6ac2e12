#include "stages/static_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "config/tree/build.h"
#include "config/tree/select.h"
#include "config/value/yaml_load.h"
#include "os/files.h"
#include "os/testing/fake_process_runner.h"
#include "pipeline/stage_context.h"
#include "pipeline/testing/no_tools.h"

namespace ridgeline::stages {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class SomeModel final : public pipeline::Workload {
 public:
  std::string Describe() const override { return "a model"; }
  pipeline::WorkloadKind kind() const override { return pipeline::WorkloadKind::kModel; }
  std::string Unavailable() const override { return "built without libtorch"; }
  os::Command AsCommand(const pipeline::WorkloadPlace&) const override { return {}; }
  Status Prepare(const pipeline::WorkloadPlace&) const override { return Ok(); }
  std::vector<std::string> Changes() const override { return {}; }
  Result<std::vector<pipeline::InputPath>> Inputs() const override {
    return std::vector<pipeline::InputPath>();
  }
};

class SilentObserver final : public pipeline::RunObserver {
 public:
  void RunStarted(const artifacts::Manifest&) override {}
  void StageStarted(const artifacts::StageRecord&) override {}
  void CommandStarted(std::string_view, std::string_view, const os::Command&) override {}
  void CommandOutput(std::string_view) override {}
  void StageProgress(std::string_view, double,
                     const std::optional<pipeline::Progress>&) override {}
  void StageEnded(const artifacts::StageRecord&, std::string_view) override {}
  void RunEnded(const artifacts::Manifest&) override {}
};

constexpr const char* kConfig = R"(
device: cpu
hardware: {peak_tflops: 0.1, peak_gbps: 20}
model:
  name: deepseek_ocr
  path: /nonexistent/model
  dtype: fp32
  create: {preset: tiny}
  preprocess: {enable: true, base_size: 256, image_size: 256, crop_mode: false}
infer: {max_new_tokens: 4, decoder_prompt: "<image>"}
pipeline:
  static_analysis: {use_analytic_fallback: true}
)";

class StaticAnalysisTest : public testing::Test {
 protected:
  StaticAnalysisTest()
      : directory_(fs::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~StaticAnalysisTest() override { fs::remove_all(directory_); }

  pipeline::StageOutcome Run(std::string config = kConfig) {
    config::Workspace workspace({});
    const config::Value value = config::LoadYaml(config, "config.yaml").value();
    config::Node* root =
        config::CreateRoot(workspace, value,
                           std::make_shared<const std::string>("config.yaml"))
            .value();
    config::Node& section =
        *config::Select(workspace, *root, "pipeline.static_analysis").value();
    pipeline::NoTools tools;
    pipeline::PlannedStage planned;
    planned.stage = MakeStaticAnalysis({workspace, *root, section, tools}).value();
    const pipeline::RunServices services = {processes_, observer_};
    pipeline::StageContext context(
        services, planned, {model_, directory_, directory_, directory_ / "ceilings.json"},
        /*grace_s=*/1, record_);
    return planned.stage->Run(context);
  }

  Json Report() const {
    return Json::parse(os::ReadFile(directory_ / "static_compute.json").value());
  }

  // The ledger's FLOPs as counts of a dispatcher.
  Json Faithful() const {
    Json phases = Json::object();
    const Json trees = Report().at("modules");
    for (const auto& [name, tree] : trees.items()) {
      Json rows = Json::array();
      AddLeaves(tree, rows);
      phases[name] = std::move(rows);
    }
    return {{"schema_version", 1}, {"phases", std::move(phases)}};
  }
  void WriteCount(const Json& count) const {
    ASSERT_TRUE(
        os::WriteFileAtomically(directory_ / "dispatcher.json", count.dump()).ok());
  }

  static void AddLeaves(const Json& node, Json& rows) {
    if (node.contains("modules")) {
      for (const Json& child : node.at("modules")) AddLeaves(child, rows);
      return;
    }
    for (const auto& [name, amount] : node.at("flops").items()) {
      rows.push_back({{"scope", node.at("name")},
                      {"class", name},
                      {"flops", amount.at("executed")}});
    }
  }

  fs::path directory_;
  SomeModel model_;
  os::FakeProcessRunner processes_;
  SilentObserver observer_;
  artifacts::StageRecord record_;
};

TEST_F(StaticAnalysisTest, ReportsWithoutADispatcher) {
  const pipeline::StageOutcome outcome = Run();
  ASSERT_TRUE(std::holds_alternative<pipeline::Done>(outcome));
  EXPECT_THAT(std::get<pipeline::Done>(outcome).summary, HasSubstr("871 K parameters, "));
  EXPECT_TRUE(Report().at("dispatcher").is_null());
  EXPECT_TRUE(record_.notes.empty());
}

TEST_F(StaticAnalysisTest, AgreesWithADispatcherThatCountsTheSame) {
  Run();
  WriteCount(Faithful());
  const pipeline::StageOutcome outcome = Run();
  ASSERT_TRUE(std::holds_alternative<pipeline::Done>(outcome));
  EXPECT_THAT(std::get<pipeline::Done>(outcome).summary,
              HasSubstr("FLOP check passed (156/156 modules)"));
  const Json vision = Report().at("dispatcher").at("vision");
  EXPECT_EQ(vision.at("ledger_total"), vision.at("counted_total"));
  EXPECT_TRUE(record_.notes.empty());  // No action needed.
}

TEST_F(StaticAnalysisTest, ADifferenceFailsItAndIsInTheReport) {
  Run();
  Json count = Faithful();
  Json& row = count["phases"]["vision"][0];
  row["flops"] = row["flops"].get<int64_t>() - 1;
  WriteCount(count);
  const pipeline::StageOutcome outcome = Run();
  ASSERT_TRUE(std::holds_alternative<Error>(outcome));
  EXPECT_THAT(std::get<Error>(outcome).message(), HasSubstr("sam.patch_embed"));
  EXPECT_EQ(Report().at("dispatcher").at("vision").at("rows").at(0).at("difference"), -1);
}

TEST_F(StaticAnalysisTest, WhatWasNotCountedIsFilledIfItMayBe) {
  Run();
  Json count = Faithful();
  count["phases"].erase("decode");
  WriteCount(count);
  EXPECT_TRUE(std::holds_alternative<pipeline::Done>(Run()));
  EXPECT_THAT(record_.notes.back(), HasSubstr("49 not counted, in closed form"));
  std::string strict = kConfig;
  strict.replace(strict.find("fallback: true"), 14, "fallback: false");
  EXPECT_TRUE(std::holds_alternative<Error>(Run(strict)));
}

TEST_F(StaticAnalysisTest, TakesTheRoofsThatWereMeasuredOnAGpu) {
  std::string config = kConfig;
  config.replace(config.find("device: cpu"), 11, "device: cuda");
  const std::string given = "hardware: {peak_tflops: 0.1, peak_gbps: 20}\n";
  config.erase(config.find(given), given.size());
  ASSERT_TRUE(
      os::WriteFileAtomically(directory_ / "gpu_peaks.json",
                              R"({"schema_version": 1, "device": "cuda:0", "why": null,
                      "arithmetic": [{"name": "fp32", "flops_per_s": 2e13,
                                      "what": "a product"}],
                      "memory": {"bytes_per_s": 9e11, "what": "a copy"}})")
          .ok());
  ASSERT_TRUE(std::holds_alternative<pipeline::Done>(Run(config)));
  const Json ceilings = Report().at("ceilings");
  EXPECT_EQ(ceilings.at("compute_flops_per_s"), 2e13);
  EXPECT_EQ(ceilings.at("memory_bytes_per_s"), 9e11);
  EXPECT_EQ(ceilings.at("peak_bandwidth_source").at("kind"), "measured");
  EXPECT_EQ(ceilings.at("peak_bandwidth_source").at("text"), "measured: a copy");
}

}  // namespace
}  // namespace ridgeline::stages
