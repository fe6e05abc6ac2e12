// `ridgeline report` makes again what a run has derived from its raw files.
#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Report : public Playground {
 protected:
  ProgramEnd RunExample(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = Direct({RIDGELINE_NVTX_WORKLOAD, "1", "1", "1"});
    arguments.emplace_back("hydra.run.dir=out");
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
  fs::path Out(const std::string& file) { return directory() / "out" / file; }
};

TEST_F(Report, IsTheSameWhenItIsMadeAgain) {
  const bool has_nsys = IsInstalled("nsys");
  const ProgramEnd end =
      RunExample({std::string("pipeline.nsys.enable=") + (has_nsys ? "true" : "false"),
                  "pipeline.nsys.trace='nvtx'"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err,
              testing::ContainsRegex("\n  report +" + Out("report.html").string()));
  const auto json = nlohmann::json::parse(ReadFile(Out("metrics.json")));
  EXPECT_EQ(json["run"]["state"], "done");
  EXPECT_EQ(json["regions"].size(), has_nsys ? 5u : 0u);

  std::vector<std::string> files = {"metrics.json", "report.md", "report.html"};
  if (has_nsys) files.emplace_back("results.sqlite");
  std::vector<std::string> before;
  for (const std::string& file : files) {
    before.push_back(ReadFile(Out(file)));
    fs::remove(Out(file));
  }
  const std::string manifest = ReadFile(Out("manifest.json"));
  const ProgramEnd again = Ridgeline({"report", "out"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, Out("report.html").string() + "\n");
  for (size_t i = 0; i < files.size(); ++i) {
    EXPECT_TRUE(ReadFile(Out(files[i])) == before[i]) << files[i];
  }
  EXPECT_EQ(ReadFile(Out("manifest.json")), manifest);
}

TEST_F(Report, TellsWhichFilesItCouldNotRead) {
  ASSERT_EQ(RunExample().exit_code, 0);
  std::ofstream(Out("env.json")) << "{";
  std::ofstream(Out("config.yaml")) << "a: [";
  ASSERT_EQ(Ridgeline({"report", "out"}).exit_code, 0);
  const std::string report = ReadFile(Out("report.md"));
  EXPECT_THAT(report, HasSubstr("| env.json | 1 | yes | file not read: not JSON |"));
  EXPECT_THAT(report, HasSubstr("| config.yaml | 1 | yes | file not read: "));
  EXPECT_THAT(report, testing::Not(HasSubstr("lost on import")));
}

// A saved run with a real trace beside its metrics.
class DamagedReport : public Playground {
 protected:
  void MakeRun() {
    fs::remove_all(directory() / "run");
    const fs::path data = fs::path(RIDGELINE_TESTS_DIR) / "data";
    fs::copy(data / "runs/demo_v1", directory() / "run", fs::copy_options::recursive);
    fs::copy(data / "torch_trace/torch_1_13.json.gz",
             directory() / "run/torch_profiler/trace.json.gz");
    auto manifest = nlohmann::json::parse(ReadFile(At("manifest.json")));
    for (auto& stage : manifest["stages"]) {
      auto& artifacts = stage["artifacts"];
      if (stage["name"] == "torch_profiler") {
        artifacts.push_back("torch_profiler/trace.json.gz");
      }
      std::erase_if(
          artifacts.get_ref<nlohmann::json::array_t&>(),
          [this](const auto& file) { return !fs::exists(At(std::string(file))); });
    }
    WriteFile(At("manifest.json"), manifest.dump());
  }
  fs::path At(const std::string& file) { return directory() / "run" / file; }
  void Truncate(const std::string& file) {
    fs::resize_file(At(file), fs::file_size(At(file)) / 2);
  }
};

TEST_F(DamagedReport, SaysWhatIsMissingAndReportsTheRest) {
  struct Case {
    const char* what;
    std::function<void()> damage;
    std::vector<const char*> warnings;  // None: of no damage.
    size_t phases;                      // Sources of phases in the report.
    bool has_operators = true;
    bool keeps_earlier = false;
  };
  const Case cases[] = {
      {"nothing", [] {}, {}, 2},
      {"manifest is missing",
       [&] { fs::remove(At("manifest.json")); },
       {"manifest.json", "stages were found by their directories"},
       2},
      {"manifest is cut",
       [&] { Truncate("manifest.json"); },
       {"manifest.json", "stages were found by their directories"},
       2},
      {"a stage's directory is missing",
       [&] { fs::remove_all(At("direct_inference")); },
       {"direct_inference: the stage's directory is missing, with 4 artifacts",
        "direct_inference: not in results.sqlite: ", "earlier_reports/"},
       1,
       true,
       true},
      {"one artifact is missing",
       [&] { fs::remove(At("torch_profiler/cmd.txt")); },
       {"torch_profiler: 1 of 5 artifacts is missing: cmd.txt"},
       2},
      {"a trace is cut",
       [&] { Truncate("torch_profiler/trace.json.gz"); },
       {"torch_profiler: not in results.sqlite: ", "trace.json.gz", "earlier_reports/"},
       2,
       false,
       true},
      {"metrics of a stage are cut",
       [&] { Truncate("direct_inference/metrics.json"); },
       {"direct_inference: not in results.sqlite: "},
       1,
       true,
       true},
      {"results.sqlite is not a database",
       [&] { WriteFile(At("results.sqlite"), "text"); },
       {"results.sqlite is not a database; it is replaced"},
       2},
      {"env.json is missing",
       [&] { fs::remove(At("env.json")); },
       {"env.json is missing"},
       2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    MakeRun();
    ASSERT_EQ(Ridgeline({"report", "run"}).exit_code, 0);
    c.damage();
    const ProgramEnd end = Ridgeline({"report", "run"});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.err.find("warning: ") == std::string::npos, c.warnings.empty())
        << end.err;
    for (const char* const warning : c.warnings) EXPECT_THAT(end.err, HasSubstr(warning));
    const auto json = nlohmann::json::parse(ReadFile(At("metrics.json")));
    std::set<std::string> sources;
    for (const auto& phase : json["phases"]) sources.insert(phase["source"]);
    EXPECT_EQ(sources.size(), c.phases);
    EXPECT_EQ(!json["operators"].empty(), c.has_operators);
    EXPECT_TRUE(ReadFile(At("results.sqlite")).starts_with("SQLite format 3"));
    EXPECT_EQ(fs::exists(At("earlier_reports/results.sqlite")), c.keeps_earlier);
  }
}

// clang-format off
constexpr const char* kCallMetrics = R"({"schema_version": 2, "model": "M.generate",
  "sample_unit": "call", "device": "cpu",
  "statistics": {
    "ttft_s": {"count": 2, "mean": 0.21, "median": 0.2, "p90": 0.3, "p99": 0.31,
               "min": 0.1, "max": 0.32, "mean_ci95": [0.1, 0.32]},
    "itl_s": {"count": 8, "mean": 0.021, "median": 0.02, "p90": 0.03, "p99": 0.031,
              "min": 0.01, "max": 0.032, "mean_ci95": null}},
  "samples": [
    {"image": "M.generate", "prompt_tokens": 5, "generated_tokens": 5, "decode_steps": 4,
     "end_to_end_s": 0.4, "prefill_s": 0.2, "decode_s": 0.08}],
  "utilization": {"device": "cpu", "peak_flops_per_s": 1e9,
    "phases": [{"name": "end_to_end", "time_s": 0.4, "flops": 8000000},
               {"name": "prefill", "time_s": 0.2, "flops": 7000000}]}})";
// clang-format on

TEST_F(DamagedReport, HasTokenLatencyAndMfuOfAPythonProgram) {
  MakeRun();
  fs::remove_all(At("static_analysis"));
  fs::remove_all(At("direct_inference"));
  fs::remove(At("efficiency.json"));
  WriteFile(At("torch_profiler/metrics.json"), kCallMetrics);
  auto manifest = nlohmann::json::parse(ReadFile(At("manifest.json")));
  std::erase_if(manifest["stages"].get_ref<nlohmann::json::array_t&>(),
                [](const auto& stage) { return stage["name"] != "torch_profiler"; });
  WriteFile(At("manifest.json"), manifest.dump());
  const ProgramEnd end = Ridgeline({"report", "run"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err,
              HasSubstr("ttft                   median 200 ms, p99 310 ms, n=2"));
  EXPECT_THAT(end.err,
              HasSubstr("itl                    median 20.0 ms, p99 31.0 ms, n=8"));
  EXPECT_THAT(end.err,
              HasSubstr("MFU                    end_to_end 2.0 %, prefill 3.5 %"));
  const auto json = nlohmann::json::parse(ReadFile(At("metrics.json")));
  ASSERT_EQ(json["token_latency"].size(), 2u);
  EXPECT_EQ(json["token_latency"][0]["measure"], "ttft");
  EXPECT_DOUBLE_EQ(json["token_latency"][1]["p99_s"].get<double>(), 0.031);
  EXPECT_EQ(json["ledger"]["flops_source"], "operator_shapes");
  EXPECT_EQ(json["ledger"]["phases"][1]["flops"], 7000000);
  EXPECT_DOUBLE_EQ(json["ledger"]["phases"][1]["mfu"].get<double>(), 0.035);
  EXPECT_EQ(json["ledger"]["phases"][1]["roofline_s"], nullptr);
  const std::string report = ReadFile(At("report.md"));
  EXPECT_THAT(report, HasSubstr("## Token latency"));
  EXPECT_THAT(report, HasSubstr("## Utilization"));
  const std::string summary = ReadFile(At("stakeholder_summary.md"));
  EXPECT_THAT(summary, HasSubstr("Time to first token (TTFT): median 200 ms"));
  EXPECT_THAT(summary, HasSubstr("MFU of prefill: 3.5 % (7.00 MFLOP in 200 ms: "));
  EXPECT_THAT(RowsOf(At("results.sqlite"),
                     "SELECT measure, p99_ns FROM token_latency "
                     "ORDER BY p99_ns"),
              testing::ElementsAre(testing::Pair("itl", 31'000'000),
                                   testing::Pair("ttft", 310'000'000)));
  EXPECT_THAT(RowsOf(At("results.sqlite"), "SELECT phase, flops FROM call_flops"),
              testing::ElementsAre(testing::Pair("end_to_end", 8000000),
                                   testing::Pair("prefill", 7000000)));
}

TEST_F(DamagedReport, DoesNotTakeAnyDirectoryForARun) {
  fs::create_directories(directory() / "mine/nsys");
  WriteFile(directory() / "mine/nsys/notes.txt", "of the user");
  const ProgramEnd end = Ridgeline({"report", "mine"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("mine is not a run directory"));
  EXPECT_FALSE(fs::exists(directory() / "mine/report.md"));
}

TEST_F(Report, TellsWhatIsNoRun) {
  fs::create_directory(directory() / "empty");
  const ProgramEnd empty = Ridgeline({"report", "empty"});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("empty is not a run directory"));
  EXPECT_THAT(empty.err, HasSubstr("\nhint: name the directory of one run"));
  EXPECT_NE(Ridgeline({"report", "absent"}).exit_code, 0);
  EXPECT_EQ(Ridgeline({"report"}).exit_code, 2);
}

TEST_F(Report, IsMadeOfProfilesOfOthers) {
  const std::string data = RIDGELINE_TESTS_DIR "/data/";
  const ProgramEnd end =
      Ridgeline({"report", data + "torch_trace/small.json",
                 data + "ncu/raw_three_launches.csv", "-o", "new/out"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(end.out, "new/out/report.html\n");
  const fs::path out = directory() / "new" / "out";
  const auto json = nlohmann::json::parse(ReadFile(out / "metrics.json"));
  EXPECT_EQ(json["run"]["state"], "imported");
  EXPECT_TRUE(json["verdict"]["complete"].is_null());
  EXPECT_EQ(json["sources"][0]["file"], "small.json");
  EXPECT_EQ(json["ncu"].size(), 3u);
  EXPECT_THAT(ReadFile(out / "report.md"), HasSubstr("# Profiles"));
  for (const char* const file : {"report.html", "results.sqlite", "kernels.md"}) {
    EXPECT_TRUE(fs::exists(out / file)) << file;
  }
}

TEST_F(Report, OfAFileNeedsAPlace) {
  const std::string trace = RIDGELINE_TESTS_DIR "/data/torch_trace/small.json";
  const ProgramEnd no_place = Ridgeline({"report", trace});
  EXPECT_EQ(no_place.exit_code, 2);
  EXPECT_THAT(no_place.err, HasSubstr("-o DIR writes the report of a profile to DIR"));
  std::ofstream(directory() / "junk") << "no profile";
  const ProgramEnd junk = Ridgeline({"report", trace, "junk", "-o", "out"});
  EXPECT_EQ(junk.exit_code, 2);
  EXPECT_THAT(junk.err, HasSubstr("junk"));
  EXPECT_FALSE(fs::exists(directory() / "out"));
  fs::create_directory(directory() / "run");
  std::ofstream(directory() / "run" / "manifest.json") << "{}";
  EXPECT_EQ(Ridgeline({"report", trace, "-o", "run"}).exit_code, 2);
}

TEST_F(Report, IsWrittenOfAFailedRun) {
  MakeScript("fails", "exit 7\n");
  std::vector<std::string> arguments = Direct({(directory() / "fails").string()});
  arguments.emplace_back("hydra.run.dir=out");
  EXPECT_EQ(Ridgeline(arguments).exit_code, 1);
  EXPECT_THAT(ReadFile(Out("report.md")), HasSubstr("**failed**"));
  EXPECT_THAT(ReadFile(Out("report.md")), HasSubstr("exit code 7"));
}

}  // namespace
}  // namespace ridgeline::run
