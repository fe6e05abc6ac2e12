// The built-in model, from the command line to its predictions.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using Json = nlohmann::json;
using testing::ElementsAre;
using testing::Pair;

class Model : public Playground {
 protected:
  void SetUp() override {
    const fs::path program =
        fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model";
    if (!fs::exists(program)) GTEST_SKIP() << "built without libtorch";
  }
  // Direct inference of the demo, on few tokens.
  ProgramEnd Demo(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "run",
        "+preset=demo",
        "model.path=" + (directory() / "model").string(),
        "run.repeats=1",
        "pipeline.static_analysis.enable=false",
        "pipeline.torch_profiler.enable=false",
        "infer.max_new_tokens=8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  Json ReadJson(const fs::path& path) const { return Json::parse(ReadFile(path)); }
  std::vector<Json> Predictions(const fs::path& run) {
    std::vector<Json> all;
    std::istringstream lines(ReadFile(run / "direct_inference/pred/predictions.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      all.push_back(Json::parse(line));
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
  const std::vector<Json> predictions = Predictions(run);
  ASSERT_EQ(predictions.size(), 3u);
  for (const Json& prediction : predictions) {
    EXPECT_LE(prediction.at("ids").size(), 8u);
    EXPECT_GE(prediction.at("ids").size(), 1u);
    EXPECT_GT(prediction.at("prefill_s"), 0);
  }
  const auto metrics = Json::parse(ReadFile(run / "direct_inference/metrics.json"));
  EXPECT_EQ(metrics.at("samples").size(), 3u);
  EXPECT_TRUE(metrics.at("sampling").at("seed").is_number_unsigned());
}

// The model's process gets the whole configuration in a file, which stays: cmd.txt needs
// it. A secret of the environment is not in it, and reaches the model all the same.
TEST_F(Model, KeepsSecretsOutOfItsConfiguration) {
  const std::string secret = "secret" + std::to_string(::getpid());
  AddVariable("WHERE_A_TEST_KEEPS_IT=" + secret);
  const ProgramEnd end =
      Demo({"+user.token=${oc.env:WHERE_A_TEST_KEEPS_IT}",
            "pipeline.direct_inference.output.prediction.save_dir=${oc.env:WHERE_A_TEST_"
            "KEEPS_IT}"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const fs::path run = OnlyRun();
  EXPECT_TRUE(fs::exists(run / "direct_inference" / secret / "predictions.jsonl"));
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    if (!entry.is_regular_file() || entry.path().filename() == "manifest.json") continue;
    EXPECT_EQ(ReadFile(entry.path()).find(secret), std::string::npos) << entry.path();
  }
  const fs::path config = run / "tmp/workload/direct_inference/config.yaml";
  EXPECT_NE(ReadFile(config).find("token: ${oc.env:WHERE_A_TEST_KEEPS_IT}"),
            std::string::npos);
  EXPECT_EQ(fs::status(config).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

// One program, not one that becomes another, and the command can be pasted.
TEST_F(Model, IsStartedDirectly) {
  ASSERT_EQ(Demo({"hydra.run.dir=run"}).exit_code, 0);
  const artifacts::Manifest manifest = ManifestOf(directory() / "run");
  const artifacts::StageRecord* stage = nullptr;
  for (const artifacts::StageRecord& each : manifest.stages) {
    if (each.name == "direct_inference") stage = &each;
  }
  ASSERT_NE(stage, nullptr);
  ASSERT_EQ(stage->processes.size(), 1u);
  const std::vector<std::string>& argv = stage->processes[0].argv;
  EXPECT_TRUE(argv.at(0).ends_with("/ridgeline-model")) << argv.at(0);
  EXPECT_EQ(argv.at(1), "run");
  const fs::path cmd = directory() / "run/direct_inference/cmd.txt";
  const fs::path again = directory() / "run/tmp/direct_inference";
  ASSERT_EQ(std::system(
                ("sh " + cmd.string() + " > " + (directory() / "log").string() + " 2>&1")
                    .c_str()),
            0);
  EXPECT_TRUE(fs::exists(again / "metrics.json"));
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
    int exit_code;
  };
  const Case cases[] = {
      {{"model.create.preset=null"}, "model.path: no such directory", 2},
      {{"dataset.root=/no/such"}, "/no/such", 2},
      {{"device=cuda:0"}, "device=cuda:0: no GPU", 2},
      {{"model.name=gpt"}, "available: deepseek_ocr, dummy_shallow_resnet", 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    std::vector<std::string> overrides = c.overrides;
    overrides.push_back("hydra.run.dir=run");
    const ProgramEnd end = Demo(overrides);
    EXPECT_EQ(end.exit_code, c.exit_code);
    EXPECT_NE(end.err.find(c.message), std::string::npos) << end.err;
    fs::remove_all(directory());
    fs::create_directories(directory());
  }
}

TEST_F(Model, IsHeldAgainstAReference) {
  ASSERT_EQ(Demo({"hydra.run.dir=first"}).exit_code, 0);
  const fs::path reference =
      directory() / "first/direct_inference/pred/predictions.jsonl";
  const std::string flag = "parity.reference=" + reference.string();
  const ProgramEnd same = Demo({"hydra.run.dir=second", flag});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(ReadJson(directory() / "second/manifest.json").at("parity"), "passed");

  const ProgramEnd other = Demo({"hydra.run.dir=third", flag, "infer.max_new_tokens=5"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("parity failed: tokens differ in 3 of 3 pages"),
            std::string::npos)
      << other.err;
  const Json manifest = ReadJson(directory() / "third/manifest.json");
  EXPECT_EQ(manifest.at("parity"), "failed");
  EXPECT_EQ(manifest.at("state"), "done");
  const Json receipt = ReadJson(directory() / "third/direct_inference/parity.json");
  EXPECT_EQ(receipt.at("first_difference").at("token_index"), 5);

  // Every pass counts, the profiled one as well.
  const ProgramEnd profiled = Demo({"hydra.run.dir=fourth", flag, "run.repeats=2",
                                    "pipeline.direct_inference.enable=false",
                                    "pipeline.torch_profiler.enable=true",
                                    "run.representative_max_new_tokens=3"});
  EXPECT_EQ(profiled.exit_code, 0) << profiled.err;
  EXPECT_EQ(
      ReadJson(directory() / "fourth/torch_profiler/parity.json").at("passes_compared"),
      Json({"pass 2", "the profiled pass"}));
}

TEST_F(Model, WritesTheOutputsThatAreAskedFor) {
  const std::string output = "pipeline.direct_inference.output.";
  ASSERT_EQ(Demo({"hydra.run.dir=run", output + "prediction.enable=false",
                  output + "visualization.save_dir=pages",
                  output + "extra.deepseek_ocr.visualization.max_images=1"})
                .exit_code,
            0);
  const fs::path stage = directory() / "run/direct_inference";
  EXPECT_FALSE(fs::exists(stage / "pred"));
  const std::string gallery = ReadFile(stage / "pages/predictions.md");
  EXPECT_NE(gallery.find("1 of 3 pages; 2 omitted"), std::string::npos) << gallery;
  size_t pictures = 0;
  for (const auto& entry : fs::recursive_directory_iterator(stage / "pages")) {
    pictures += entry.path().filename() == "result_with_boxes.jpg" ? 1 : 0;
  }
  EXPECT_EQ(pictures, 3u);
  const std::string inputs = ReadFile(directory() / "run/inputs.yaml");
  EXPECT_NE(inputs.find("role: page"), std::string::npos) << inputs;

  // A picture that has been lost since is told.
  const Json report = ReadJson(directory() / "run/metrics.json");
  const std::string lost = report.at("/predictions/0/thumbnail"_json_pointer);
  fs::remove(directory() / "run" / lost);
  ASSERT_EQ(Ridgeline({"report", "run"}).exit_code, 0);
  const std::string again = ReadFile(directory() / "run/report.md");
  EXPECT_THAT(again, testing::ContainsRegex(lost + "[^\n]*file not read: "));
}

TEST_F(Model, TheSecondModelReadsThePagesToo) {
  const ProgramEnd end = Demo({"hydra.run.dir=run", "model.name=dummy_shallow_resnet"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const auto predictions = Predictions(directory() / "run");
  ASSERT_EQ(predictions.size(), 3u);
  EXPECT_EQ(predictions[0].at("text").get<std::string>().substr(0, 6), "class ");
}

class ModelUnderNsys : public Model {
 protected:
  static std::map<std::string, double> ByName(
      const std::vector<std::pair<std::string, int64_t>>& rows) {
    return {rows.begin(), rows.end()};
  }
};

// It writes below tmp/workload/ alone, whatever the stage with the same outputs does.
TEST_F(ModelUnderNsys, LeavesOutputsOfOtherStagesAlone) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const fs::path kept = directory() / "kept";
  const ProgramEnd end = Demo(
      {"hydra.run.dir=run", "pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
       "pipeline.direct_inference.enable=false", "pipeline.torch_profiler.enable=true",
       "pipeline.torch_profiler.output.prediction.enable=true",
       "pipeline.torch_profiler.output.prediction.save_dir=" + kept.string(),
       "pipeline.torch_profiler.output.visualization.enable=true",
       "infer.max_new_tokens=4", "run.representative_max_new_tokens=2"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  std::istringstream lines(ReadFile(kept / "predictions.jsonl"));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Json::parse(line).at("ids").size(), 4u);
  const fs::path workloads = directory() / "run/tmp/workload";
  EXPECT_TRUE(fs::is_regular_file(workloads / "nsys/pred/predictions.jsonl"));
  EXPECT_FALSE(fs::exists(workloads / "nsys/viz"));
  // One page, one pass.
  EXPECT_EQ(ReadFile(workloads / "torch_profiler/pred/predictions.jsonl"),
            ReadFile(workloads / "nsys/pred/predictions.jsonl"));
  const Json metrics = Json::parse(ReadFile(directory() / "run/nsys/run.metrics.json"));
  EXPECT_EQ(metrics.at("samples").size(), 1u);
  EXPECT_THAT(end.err,
              testing::HasSubstr("captures at most 1 sample, 1 repeat (pipeline.nsys"));
}

// A capture is limited to a page and some tokens, and compared as far as it goes.
TEST_F(ModelUnderNsys, IsHeldAgainstAReferenceToo) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  ASSERT_EQ(Demo({"hydra.run.dir=first"}).exit_code, 0);
  struct Case {
    const char* override_text;
    int exit_code;
    const char* parity;
    const char* want;
  };
  const Case cases[] = {
      {"pipeline.nsys.limits.max_new_tokens=512", 0, "passed", "parity passed: 1 page"},
      {"pipeline.nsys.limits.max_new_tokens=2", 0, "not_checked",
       "parity not comparable: 1 of 1 page cut off by the token limit"},
      {"infer.max_new_tokens=2", 0, "not_checked", "parity not comparable"},
      {"infer.decoder_prompt='<image> other'", 3, "failed", "parity failed: tokens"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.override_text);
    const ProgramEnd end =
        Demo({"hydra.run.dir=run", "pipeline.direct_inference.enable=false",
              "pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
              "parity.reference=first/direct_inference/pred/predictions.jsonl",
              c.override_text});
    EXPECT_EQ(end.exit_code, c.exit_code) << end.err;
    EXPECT_THAT(end.err, testing::HasSubstr(c.want));
    EXPECT_EQ(ReadJson(directory() / "run/manifest.json").at("parity"), c.parity);
    EXPECT_TRUE(fs::exists(directory() / "run/nsys/parity.json"));
    fs::remove_all(directory() / "run");
  }
}

TEST_F(ModelUnderNsys, IsSeenInItsParts) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const ProgramEnd end =
      Demo({"pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
            "pipeline.direct_inference.enable=false", "pipeline.nsys.capture_range=nvtx",
            "pipeline.nsys.nvtx_capture=decode"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(OnlyRun() / "nsys/run.nsys-rep"));
  // The first one that is measured, not one of the warm-up.
  EXPECT_THAT(RowsOf(OnlyRun() / "results.sqlite",
                     "SELECT path, instances FROM region WHERE path = 'decode'"),
              ElementsAre(Pair("decode", 1)));
}

// The model's clocks and NVTX are two witnesses of the same time. How close they are
// depends on what else runs here, but not their order: a phase's clock runs inside the
// phase's range, and around the ranges of its parts.
TEST_F(ModelUnderNsys, TakesTheTimesThatNsysTakes) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const ProgramEnd end = Demo(
      {"hydra.run.dir=run", "pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
       "pipeline.direct_inference.enable=false", "pipeline.static_analysis.enable=true",
       "hardware.peak_tflops=0.1", "hardware.peak_gbps=20"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const fs::path results = directory() / "run/results.sqlite";
  const auto regions = ByName(RowsOf(results, "SELECT path, cpu_total_ns FROM region"));
  const auto clocks = ByName(RowsOf(
      results,
      "SELECT phase, SUM(duration_ns) FROM phase_sample JOIN source ON source.id = "
      "source_id WHERE file = 'nsys/run.metrics.json' AND pass = 'profiled' "
      "GROUP BY phase"));
  struct Case {
    const char* phase;
    const char* range;
    std::vector<const char*> parts;
  };
  const Case cases[] = {
      {"prefill", "prefill", {"prefill/sam", "prefill/clip", "prefill/projector"}},
      {"decode", "decode", {"decode/decode_step"}},
      {"sam", "prefill/sam", {}},
      {"clip", "prefill/clip", {}},
  };
  // What the rates of the two clocks may differ by.
  constexpr double kSlack = 1.001;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.phase);
    const double clock = clocks.at(c.phase);
    EXPECT_GT(clock, 0);
    EXPECT_LE(clock, regions.at(c.range) * kSlack);
    double parts = 0;
    for (const char* part : c.parts) parts += regions.at(part);
    EXPECT_LE(parts, clock * kSlack);
  }
  // Every region of the model is held against the roof.
  EXPECT_THAT(
      RowsOf(
          results,
          "SELECT path, flops > 0 AND bytes > 0 AND flops_per_s > 0 AND "
          "roofline_slowdown > 0 AND clock = 'cpu' FROM region_roofline ORDER BY path"),
      ElementsAre(Pair("decode", 1), Pair("decode/decode_step", 1), Pair("prefill", 1),
                  Pair("prefill/clip", 1), Pair("prefill/projector", 1),
                  Pair("prefill/sam", 1)));
  EXPECT_TRUE(regions.contains("warmup"));
}

}  // namespace
}  // namespace ridgeline::run
