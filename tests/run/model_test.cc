// The built-in model, from the command line to its predictions.
#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class Model : public Playground {
 protected:
  void SetUp() override {
    const fs::path program =
        fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model";
    if (!fs::exists(program)) GTEST_SKIP() << "built without libtorch";
  }
  ProgramEnd Demo(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "run",
        "+experiment=demo",
        std::string("dataset.root=") + RIDGELINE_SOURCE_DIR + "/datasets/samples",
        "model.path=" + (directory() / "model").string(),
        "run.repeats=1",
        "infer.max_new_tokens=8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  std::vector<nlohmann::json> Predictions(const fs::path& run) {
    std::vector<nlohmann::json> all;
    std::istringstream lines(ReadFile(run / "direct_inference/pred/predictions.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      all.push_back(nlohmann::json::parse(line));
    }
    return all;
  }
};

TEST_F(Model, ReadsTheDemoPages) {
  const ProgramEnd end = Demo();
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const fs::path run = OnlyRun();
  const artifacts::Manifest manifest = ManifestOf(run);
  EXPECT_EQ(StateOf(manifest, "direct_inference"), State::kDone);
  const std::vector<nlohmann::json> predictions = Predictions(run);
  ASSERT_EQ(predictions.size(), 3u);
  for (const nlohmann::json& prediction : predictions) {
    EXPECT_LE(prediction.at("ids").size(), 8u);
    EXPECT_GE(prediction.at("ids").size(), 1u);
    EXPECT_GT(prediction.at("prefill_s"), 0);
  }
  const auto metrics =
      nlohmann::json::parse(ReadFile(run / "direct_inference/metrics.json"));
  EXPECT_EQ(metrics.at("samples").size(), 3u);
}

TEST_F(Model, GivesTheSameAnswersAgain) {
  ASSERT_EQ(Demo({"hydra.run.dir=first"}).exit_code, 0);
  ASSERT_EQ(Demo({"hydra.run.dir=second"}).exit_code, 0);
  const auto first = Predictions(directory() / "first");
  const auto second = Predictions(directory() / "second");
  ASSERT_EQ(first.size(), second.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].at("ids"), second[i].at("ids"));
  }
}

TEST_F(Model, SaysWhatIsMissing) {
  struct Case {
    std::vector<std::string> overrides;
    const char* message;
  };
  const Case cases[] = {
      {{"model.create.preset=null"}, "model.path: no directory"},
      {{"dataset.root=/no/such"}, "/no/such"},
      {{"device=cuda:0"}, "device=cuda:0: this libtorch finds no GPU here"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    std::vector<std::string> overrides = c.overrides;
    overrides.push_back("hydra.run.dir=run");
    const ProgramEnd end = Demo(overrides);
    EXPECT_EQ(end.exit_code, 1);
    EXPECT_NE(end.err.find(c.message), std::string::npos) << end.err;
    fs::remove_all(directory());
    fs::create_directories(directory());
  }
}

TEST_F(Model, IsSeenByNsysInItsParts) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const ProgramEnd end =
      Demo({"pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
            "pipeline.direct_inference.enable=false", "pipeline.nsys.capture_range=nvtx",
            "pipeline.nsys.nvtx_capture=decode"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(OnlyRun() / "nsys/run.nsys-rep"));
}

}  // namespace
}  // namespace ridgeline::run
