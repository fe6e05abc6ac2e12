// `ridgeline report` makes again what a run has derived from its raw files.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

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

TEST_F(Report, TellsWhatIsNoRun) {
  fs::create_directory(directory() / "empty");
  const ProgramEnd empty = Ridgeline({"report", "empty"});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("empty is not a run directory"));
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
