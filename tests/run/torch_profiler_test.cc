// The stage torch_profiler, from the command line to its reports, on the demo.
#include <gmock/gmock.h>
#include <zlib.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

Json ReadGzippedJson(const fs::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text;
  std::array<char, 1 << 16> block;
  int size = 0;
  while (file != nullptr && (size = gzread(file, block.data(), block.size())) > 0) {
    text.append(block.data(), static_cast<size_t>(size));
  }
  gzclose(file);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

class TorchProfiler : public Playground {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model")) {
      GTEST_SKIP() << "built without libtorch";
    }
  }

  // One page, four tokens.
  ProgramEnd Profile(const std::vector<std::string>& more = {},
                     const std::string& experiment = "demo") {
    std::vector<std::string> arguments = {
        "run",
        "+preset=" + experiment,
        std::string("dataset.root=") + RIDGELINE_SOURCE_DIR + "/datasets/samples",
        "model.path=" + (directory() / "model").string(),
        "hydra.run.dir=run",
        "pipeline.direct_inference.enable=false",
        "pipeline.static_analysis.enable=false",
        "dataset.sampling.num_samples_per_epoch=1",
        "run.repeats=1",
        "infer.max_new_tokens=4",
        "hardware.peak_tflops=0.1",
        "hardware.peak_gbps=20"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  fs::path Place() const { return directory() / "run/torch_profiler"; }
  Json Read(const char* name) const { return Json::parse(ReadFile(Place() / name)); }
  Json Trace() const { return ReadGzippedJson(Place() / "trace.json.gz"); }
  artifacts::StageRecord Stage() {
    for (const artifacts::StageRecord& stage : ManifestOf(directory() / "run").stages) {
      if (stage.name == "torch_profiler") return stage;
    }
    return {};
  }

  // A name and a number a row, from results.sqlite.
  std::map<std::string, int64_t> Query(const char* sql) const {
    const auto rows = RowsOf(directory() / "run/results.sqlite", sql);
    return {rows.begin(), rows.end()};
  }

  // The operators' arguments in the trace: which there are.
  std::set<std::string> ArgumentsInTrace() const {
    std::set<std::string> keys;
    const Json trace = Trace();
    for (const Json& event : trace["traceEvents"]) {
      if (event.value("cat", "") != "cpu_op") continue;
      for (const auto& [key, value] : event["args"].items()) keys.insert(key);
    }
    return keys;
  }
};

TEST_F(TorchProfiler, SelfTimesAddUpToThePassAndTheTraceHoldsAllOfIt) {
  const ProgramEnd end = Profile();
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ASSERT_EQ(Stage().state, State::kDone);
  EXPECT_THAT(end.err, HasSubstr(" events, profiling overhead "));
  const Json profile = Read("operator_profile.json");
  double self_ns = 0;
  double step_ns = 0;
  std::set<std::string> names;
  int64_t calls = 0;
  for (const Json& row : profile["operators"]) {
    self_ns += row["time_self_ns"].get<double>();
    if (row["name"] == "ProfilerStep#0") step_ns = row["time_total_ns"].get<double>();
    calls += row["calls"].get<int64_t>();
    names.insert(row["name"]);
  }
  EXPECT_EQ(names.count("ProfilerStep#0"), 1u);
  // Each is rounded to nanoseconds.
  EXPECT_NEAR(self_ns, step_ns, static_cast<double>(calls));
  EXPECT_LE(step_ns * 1e-9, profile["wall_s"].get<double>() * 1.001);
  for (const char* name :
       {"prefill", "decode", "sam", "aten::conv2d", "ridgeline::linear"}) {
    EXPECT_THAT(names, Contains(name));
  }
  EXPECT_EQ(profile["events"], calls);
  EXPECT_EQ(profile["unmatched"], 0);
  EXPECT_GT(profile["overhead_per_event_ns"], 0);

  const Json trace = Trace();
  EXPECT_EQ(trace["schemaVersion"], 1);
  std::set<std::string> in_trace;
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") in_trace.insert(event["name"]);
  }
  EXPECT_EQ(in_trace, names);
}

// Two ways to the same numbers: sums made while recording, and the trace, imported.
TEST_F(TorchProfiler, ResultsHoldTheSamplesAndTheOperatorsOfTheTrace) {
  ASSERT_EQ(Profile().exit_code, 0);
  std::map<std::string, int64_t> want;
  const Json profile = Read("operator_profile.json");
  for (const Json& row : profile["operators"]) {
    if (row["kind"] == "operator") want[row["name"]] = row["calls"];
  }
  EXPECT_EQ(Query("SELECT name, calls FROM operator"), want);
  EXPECT_EQ(Query("SELECT pass, count(*) FROM phase_sample WHERE phase = 'decode' "
                  "GROUP BY pass"),
            (std::map<std::string, int64_t>{{"profiled", 1}, {"unprofiled", 1}}));
}

TEST_F(TorchProfiler, TimesWithoutTheRecorderHaveStatisticsOfTheirOwn) {
  ASSERT_EQ(Profile({"dataset.sampling.num_samples_per_epoch=2", "run.repeats=3",
                     "run.representative_max_new_tokens=2"})
                .exit_code,
            0);
  const Json metrics = Read("metrics.json");
  EXPECT_EQ(metrics["samples"].size(), 6);
  EXPECT_EQ(metrics["samples"][0]["generated_tokens"], 4);
  // The page under the recorder has fewer tokens, and is no sample.
  EXPECT_EQ(metrics["profiled"]["generated_tokens"], 2);
  EXPECT_EQ(Read("operator_profile.json")["max_new_tokens"], 2);
  for (const char* name : {"end_to_end_s", "vision_s", "prefill_s", "decode_s"}) {
    const Json& statistics = metrics["statistics"][name];
    EXPECT_EQ(statistics["count"], 6) << name;
    EXPECT_LE(statistics["min"], statistics["median"]) << name;
    EXPECT_LE(statistics["p90"], statistics["p99"]) << name;
    ASSERT_EQ(statistics["mean_ci95"].size(), 2) << name;
    EXPECT_LE(statistics["mean_ci95"][0], statistics["mean"]) << name;
  }
  double sum = 0;
  for (const Json& sample : metrics["samples"])
    sum += sample["end_to_end_s"].get<double>();
  EXPECT_NEAR(metrics["statistics"]["end_to_end_s"]["mean"].get<double>(), sum / 6, 1e-9);
  const std::string report = ReadFile(Place() / "report.md");
  EXPECT_THAT(report, HasSubstr("n=6: 2 pages x 3 repeats"));
  EXPECT_THAT(report, HasSubstr("| decode |"));
  EXPECT_THAT(report, HasSubstr("MFU"));
  EXPECT_THAT(ReadFile(Place() / "stakeholder_summary.md"),
              HasSubstr("- End-to-end time per page: "));
}

TEST_F(TorchProfiler, HeedsEveryKey) {
  const std::string key = "pipeline.torch_profiler.";
  struct Case {
    const char* what;
    std::vector<std::string> keys;
    std::set<std::string> in_trace;  // Beside the id and the module.
    const char* column;              // Of operators.md.
  };
  const Case cases[] = {
      {"shapes",
       {key + "record_shapes=true"},
       {"Input Dims", "Input type", "flops"},
       "Total FLOPs"},
      {"memory and stacks",
       {key + "profile_memory=true", key + "with_stack=true"},
       {"Self Bytes", "Call stack"},
       "Self CPU Mem"},
      {"rows by shapes",
       {key + "record_shapes=true", key + "group_by_input_shape=true"},
       {"Input Dims", "Input type", "flops"},
       "Input Shapes"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    fs::remove_all(directory() / "run");
    const ProgramEnd end = Profile(c.keys);
    ASSERT_EQ(end.exit_code, 0) << end.err;
    std::set<std::string> want = {"External id", "Module Hierarchy"};
    want.insert(c.in_trace.begin(), c.in_trace.end());
    EXPECT_EQ(ArgumentsInTrace(), want);
    EXPECT_THAT(ReadFile(Place() / "operators.md"), HasSubstr(c.column));
  }
}

TEST_F(TorchProfiler, PresetsGiveWhatTheyPromise) {
  struct Case {
    std::string preset;
    int warmup_rounds;
    bool has_all;
    bool warns_of_cuda;
  };
  for (const Case& c : {Case{"min", 1, false, false}, Case{"default", 2, false, true},
                        Case{"max", 3, true, true}}) {
    SCOPED_TRACE(c.preset);
    const std::string preset =
        "profiling/torch@pipeline.torch_profiler=torch-profiler." + c.preset;
    const std::string composed =
        Ridgeline({"run", "--cfg", "job", "--package", "pipeline.torch_profiler", preset})
            .out;
    EXPECT_THAT(composed,
                HasSubstr("warmup_rounds: " + std::to_string(c.warmup_rounds) + "\n"));
    EXPECT_EQ(composed.find("\n- cuda\n") != std::string::npos, c.warns_of_cuda)
        << composed;
    fs::remove_all(directory() / "run");
    // The demo replaces these two keys.
    const ProgramEnd end = Profile(
        {preset,
         "pipeline.torch_profiler.warmup_rounds=" + std::to_string(c.warmup_rounds),
         std::string("pipeline.torch_profiler.activities=") +
             (c.warns_of_cuda ? "[cpu,cuda]" : "[cpu]")});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    const Json profile = Read("operator_profile.json");
    for (const char* key :
         {"record_shapes", "profile_memory", "with_stack", "group_by_input_shape"}) {
      EXPECT_EQ(profile[key], c.has_all) << key;
    }
    EXPECT_EQ(Read("metrics.json")["warmup_rounds"], c.warmup_rounds);
    if (!fs::exists("/proc/driver/nvidia")) {
      EXPECT_EQ(Stage().notes.size(), c.warns_of_cuda ? 1 : 0);
      EXPECT_EQ(profile["notes"].size(), c.warns_of_cuda ? 1 : 0);
    }
  }
}

TEST_F(TorchProfiler, RecordsNothingIfNothingIsAskedFor) {
  ASSERT_EQ(Profile({"pipeline.torch_profiler.enabled=false",
                     "pipeline.torch_profiler.enable=true",
                     "pipeline.torch_profiler.warmup_rounds=0",
                     "pipeline.torch_profiler.warmup_synthetic=false"})
                .exit_code,
            0);
  EXPECT_FALSE(fs::exists(Place() / "operator_profile.json"));
  EXPECT_FALSE(fs::exists(Place() / "operators.md"));
  EXPECT_EQ(Read("metrics.json")["warmup_rounds"], 0);
  EXPECT_EQ(Read("metrics.json")["warmup_synthetic"], false);
  EXPECT_EQ(Read("metrics.json")["samples"].size(), 1);
  EXPECT_THAT(ReadFile(Place() / "report.md"), HasSubstr("Not measured: "));

  fs::remove_all(directory() / "run");
  ASSERT_EQ(Profile({"pipeline.torch_profiler.activities=[cuda]"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(Place() / "trace.json.gz"));
  ASSERT_EQ(Stage().notes.size(), 1);
  EXPECT_THAT(Stage().notes[0], HasSubstr("activities does not contain cpu"));
}

TEST_F(TorchProfiler, KeepsWhatTheModelSaidWhereItIsTold) {
  ASSERT_EQ(Profile({"pipeline.torch_profiler.output.prediction.enable=true",
                     "pipeline.torch_profiler.output.prediction.save_dir=said",
                     "pipeline.torch_profiler.output.visualization.enable=false"})
                .exit_code,
            0);
  EXPECT_TRUE(fs::exists(Place() / "said/predictions.jsonl"));
  EXPECT_FALSE(fs::exists(Place() / "viz"));
  EXPECT_TRUE(fs::exists(Place() / "torch_profiler.log"));
}

TEST_F(TorchProfiler, KeepsPredictionsBesideTheStageIfToldSo) {
  const ProgramEnd end =
      Profile({"pipeline.torch_profiler.output.prediction.enable=true",
               "pipeline.torch_profiler.output.prediction.save_dir=../said",
               "pipeline.torch_profiler.output.visualization.save_dir=../drawn/here"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_TRUE(fs::exists(directory() / "run/said/predictions.jsonl"));
  EXPECT_TRUE(fs::exists(directory() / "run/drawn/here/predictions.md"));
  EXPECT_FALSE(fs::exists(directory() / "run/tmp/said"));
}

TEST_F(TorchProfiler, RefusesToSaveWhereTheRunWrites) {
  struct Case {
    std::string save_dir;
    const char* message;
  };
  const Case cases[] = {
      {"../../x", "is outside of the run directory"},
      {"..", "is the run directory itself"},
      {"../nsys", "is nsys in the run directory, which the run itself writes"},
      {"../tmp/x", "is tmp/x in the run directory"},
      {"../manifest.json", "is manifest.json in the run directory"},
      {"../report.md", "is report.md in the run directory"},
      {"../direct_inference/pred", "is direct_inference/pred in the run directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.save_dir);
    const ProgramEnd end =
        Profile({"pipeline.torch_profiler.output.prediction.enable=true",
                 "pipeline.torch_profiler.output.prediction.save_dir=" + c.save_dir});
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_THAT(end.err, HasSubstr(c.message));
  }
  const std::string shared = (directory() / "shared").string();
  const ProgramEnd both =
      Profile({"pipeline.direct_inference.enable=true",
               "pipeline.direct_inference.output.prediction.save_dir=" + shared,
               "pipeline.torch_profiler.output.prediction.enable=true",
               "pipeline.torch_profiler.output.prediction.save_dir=" + shared + "/"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("one would overwrite the other"));
  // Files of the user in a directory that becomes a run directory.
  fs::create_directories(directory() / "run");
  WriteFile(directory() / "run/said", "mine");
  EXPECT_NE(Profile({"pipeline.torch_profiler.output.prediction.enable=true",
                     "pipeline.torch_profiler.output.prediction.save_dir=../said"})
                .exit_code,
            0);
  EXPECT_EQ(ReadFile(directory() / "run/said"), "mine");
}

TEST_F(TorchProfiler, AModelWithoutALedgerHasNoUtilisation) {
  const ProgramEnd end =
      Profile({"model.path=null", "pipeline.torch_profiler.warmup_rounds=0"}, "resnet");
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(ReadFile(Place() / "report.md"), HasSubstr("Unknown: "));
}

}  // namespace
}  // namespace ridgeline::run
