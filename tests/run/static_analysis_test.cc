// The costs of a page, from the command line to the report. Needs no libtorch.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using Json = nlohmann::json;
using testing::HasSubstr;

class StaticAnalysis : public Playground {
 protected:
  std::vector<std::string> DemoArguments(const char* command) const {
    return {command, "+preset=demo",
            std::string("dataset.root=") + RIDGELINE_SOURCE_DIR + "/datasets/samples",
            "model.path=" + (directory() / "model").string(), "hydra.run.dir=run"};
  }
  ProgramEnd Analyse(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = DemoArguments("run");
    arguments.insert(arguments.end(), {"pipeline.direct_inference.enable=false",
                                       "pipeline.torch_profiler.enable=false",
                                       "pipeline.static_analysis.count_operators=false"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  ProgramEnd Predict(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = DemoArguments("predict");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  Json Report() const {
    return Json::parse(ReadFile(directory() / "run/static_analysis/static_compute.json"));
  }
  artifacts::StageRecord Stage() {
    return ManifestOf(directory() / "run").stages.front();
  }
};

TEST_F(StaticAnalysis, CountsThePageAndMeasuresTheCpu) {
  const ProgramEnd end = Analyse();
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage().state, State::kDone);
  EXPECT_THAT(end.err, HasSubstr("871 K parameters, 165 MFLOP/page"));
  const Json report = Report();
  EXPECT_EQ(report.at("schema_version"), 2);
  EXPECT_EQ(report.at("parameters").at("total"), 871'488);
  EXPECT_EQ(report.at("shapes").at("decode_steps"), 31);
  EXPECT_EQ(report.at("ceilings").at("peak_flops_source").at("kind"), "measured");
  EXPECT_GT(report.at("end_to_end").at("roofline").at("time_s"), 0);
  EXPECT_FALSE(fs::exists(directory() / "model"));  // Nothing is made for it.
  EXPECT_THAT(ReadFile(directory() / "run/static_analysis/static_compute.md"),
              HasSubstr("## Ceilings of cpu: "));
}

TEST_F(StaticAnalysis, HeedsItsKeys) {
  const ProgramEnd end =
      Analyse({"pipeline.static_analysis.use_synthetic_inputs=false",
               "infer.context_len_mode=fixed", "infer.context_len_fixed=77",
               "hardware.peak_tflops=2", "hardware.peak_gbps=30"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json report = Report();
  EXPECT_THAT(report.at("shapes").at("page").at("origin").get<std::string>(),
              HasSubstr("datasets/samples/"));
  EXPECT_EQ(report.at("shapes").at("context_last"), 77);
  EXPECT_EQ(report.at("ceilings").at("compute_flops_per_s"), 2e12);
  EXPECT_EQ(report.at("ceilings").at("peak_bandwidth_source").at("text"),
            "hardware.peak_gbps");
}

TEST_F(StaticAnalysis, EqualsWhatLibtorchWasGiven) {
  if (!fs::exists(fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model")) {
    GTEST_SKIP() << "built without libtorch";
  }
  for (const char* synthetic : {"true", "false"}) {
    const ProgramEnd end = Analyse(
        {"pipeline.static_analysis.count_operators=true",
         "pipeline.static_analysis.use_analytic_fallback=false",
         std::string("pipeline.static_analysis.use_synthetic_inputs=") + synthetic});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    const Json dispatcher = Report().at("dispatcher");
    ASSERT_FALSE(dispatcher.is_null());
    EXPECT_TRUE(Stage().notes.empty());  // A check that passed needs no action.
    fs::remove_all(directory() / "run");
  }
}

TEST_F(StaticAnalysis, WritesNoReportIfNoneIsWanted) {
  ASSERT_EQ(Analyse({"pipeline.static_analysis.write_reports=false"}).exit_code, 0);
  EXPECT_EQ(Stage().state, State::kDone);
  EXPECT_FALSE(fs::exists(directory() / "run/static_analysis/static_compute.json"));
}

TEST_F(StaticAnalysis, AGpuThatIsUnknownHasNoTimes) {
  if (fs::exists("/proc/driver/nvidia")) GTEST_SKIP() << "there is a GPU";
  const ProgramEnd end = Analyse({"device=cuda:0"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(Report().at("end_to_end").at("roofline").at("time_s").is_null());
  ASSERT_EQ(Stage().notes.size(), 1u);
  EXPECT_THAT(Stage().notes[0], HasSubstr("hardware.peak_tflops"));
}

TEST_F(StaticAnalysis, IsSkippedForAModelWithoutALedger) {
  // Nothing that was asked for could be done.
  ASSERT_EQ(Analyse({"model.name=dummy_shallow_resnet"}).exit_code, 3);
  EXPECT_EQ(Stage().state, State::kSkipped);
  EXPECT_THAT(Stage().reason, HasSubstr("no FLOP ledger for model dummy_shallow_resnet"));
}

TEST_F(StaticAnalysis, PredictsLowerBoundsOnAnotherGpu) {
  const ProgramEnd end = Predict({"--on", "5090", "--dtype", "fp16", "--tokens", "9"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("on GeForce RTX 5090"));
  EXPECT_THAT(end.out, HasSubstr("fp16"));
  EXPECT_THAT(end.out, HasSubstr("8 decode steps"));
  EXPECT_THAT(end.out, HasSubstr(">= "));
  EXPECT_FALSE(fs::exists(directory() / "run"));
}

TEST_F(StaticAnalysis, PredictsBatchesSizesAndLengths) {
  const auto predict = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--on", "L4", "--json"});
    const ProgramEnd end = Predict(more);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    return Json::parse(end.out);
  };
  const Json one = predict({});
  EXPECT_EQ(one.at("batch"), 1);
  EXPECT_EQ(predict({"--batch", "1"}), one);
  const Json eight = predict({"--batch", "8"});
  const Json& decode = eight.at("phases").at("decode");
  EXPECT_GT(decode.at("roofline_s"), one.at("phases").at("decode").at("roofline_s"));
  EXPECT_GT(decode.at("roofline_uniform_routing_s"), decode.at("roofline_s"));
  EXPECT_GT(decode.at("roofline_max_experts_s"), decode.at("roofline_uniform_routing_s"));
  const Json large =
      predict({"model.preprocess.base_size=512", "model.preprocess.image_size=512"});
  EXPECT_GT(large.at("prompt_tokens"), one.at("prompt_tokens"));
  EXPECT_GT(large.at("phases").at("vision").at("compute_s"),
            one.at("phases").at("vision").at("compute_s"));
  EXPECT_EQ(predict({"infer.max_new_tokens=101"}).at("decode_steps"), 100);
}

TEST_F(StaticAnalysis, PredictsIntervalsFromARun) {
  ASSERT_EQ(Analyse({"hardware.peak_tflops=0.1", "hardware.peak_gbps=20"}).exit_code, 0);
  fs::create_directories(directory() / "run/direct_inference");
  WriteFile(directory() / "run/direct_inference/metrics.json",
            R"({"schema_version": 1,
                "samples": [{"prompt_tokens": 57, "decode_steps": 31, "vision_s": 0.02,
                             "prefill_s": 0.03, "decode_s": 0.05}]})");
  const ProgramEnd end = Predict({"--on", "L4", "--from", "run", "--json"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json page = Json::parse(end.out).at("phases").at("end_to_end");
  EXPECT_GT(page.at("expected").at("low_s"), page.at("roofline_s"));
  EXPECT_GT(page.at("expected").at("high_s"), page.at("expected").at("low_s"));
}

// Measured again under another load, they would change the prediction.
TEST_F(StaticAnalysis, PredictsForTheCpuOfARunWithItsCeilings) {
  ASSERT_EQ(Analyse({"hardware.peak_tflops=0.1", "hardware.peak_gbps=20"}).exit_code, 0);
  fs::create_directories(directory() / "run/direct_inference");
  WriteFile(directory() / "run/direct_inference/metrics.json",
            R"({"schema_version": 1,
                "samples": [{"prompt_tokens": 57, "decode_steps": 31, "vision_s": 0.02,
                             "prefill_s": 0.03, "decode_s": 0.05}]})");
  const ProgramEnd end = Predict({"--on", "cpu", "--from", "run", "--json"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Json::parse(end.out).at("peak_flops_per_s").at("per_s"), 1e11);
}

TEST_F(StaticAnalysis, PredictSaysWhatIsWrong) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{}, "predict needs --on DEVICE"},
      {{"--on", "a100"}, "is ambiguous"},
      {{"--on", "abacus"}, "no such GPU: 'abacus'"},
      {{"--on", "T4", "--tokens", "many"}, "expected an integer >= 1, got 'many'"},
      {{"--on", "T4", "--tokens", "0"},
       "flag --tokens: expected an integer >= 1, got '0'"},
      {{"--on", "T4", "--batch", "2.5"},
       "flag --batch: expected an integer >= 1, got '2.5'"},
      {{"--on", "T4", "--batch", "-1"}, "--batch"},
      {{"--on", "T4", "--batch", "99999999"}, "a batch of 99999999 pages"},
      {{"--on", "T4", "--dtype", "fp7"}, "expected one of"},
      {{"--on", "T4", "--from", "nothing"}, "nothing/static_analysis"},
      {{"--on", "T4", "infer.nonsense=1"}, "infer.nonsense"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const ProgramEnd end = Predict(c.arguments);
    EXPECT_EQ(end.exit_code, 2) << end.out;
    EXPECT_THAT(end.err, HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace ridgeline::run
