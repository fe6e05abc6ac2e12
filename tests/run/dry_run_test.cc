// The plan, as `ridgeline run --dry-run` prints it.
#include <fstream>
#include <regex>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;

class DryRun : public Playground {
 protected:
  // Compares with tests/golden/run/<name>.txt; RIDGELINE_UPDATE_GOLDEN=1 rewrites it.
  void ExpectGolden(const std::string& name, std::string text) {
    const auto replace = [&text](const std::string& from, const std::string& to) {
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
        text.replace(at, from.size(), to);
      }
    };
    replace(directory().string(), "<here>");
    replace(fs::path(RIDGELINE_PROGRAM).parent_path().string(), "<bin>");
    text = std::regex_replace(text, std::regex("[0-9]{8}-[0-9]{6}"), "<time>");
    const fs::path path = fs::path(RIDGELINE_TESTS_DIR) / "golden/run" / (name + ".txt");
    if (std::getenv("RIDGELINE_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << text;
      return;
    }
    EXPECT_EQ(text, ReadFile(path)) << path;
  }
  ProgramEnd Plan(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "--dry-run"});
    ProgramEnd end = Ridgeline(arguments);
    EXPECT_TRUE(fs::is_empty(directory()));
    return end;
  }
};

TEST_F(DryRun, ShowsEveryCommandOfAProgram) {
  if (!IsInstalled("nsys") || !IsInstalled("ncu")) GTEST_SKIP() << "no nsys or ncu";
  const ProgramEnd end =
      Plan({"pipeline.workload.command=[./serve,--port,80]", "pipeline.workload.cwd=/srv",
            "+pipeline.workload.env={CUDA_VISIBLE_DEVICES:'0',HF_TOKEN:secret}",
            "pipeline.direct_inference.enable=true", "pipeline.nsys.enable=true",
            "pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture=decode@*",
            "pipeline.ncu.enable=true", "profiling/ncu@pipeline.ncu=ncu.rtx3090.memory"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  ExpectGolden("dry_run_program", end.out);
}

TEST_F(DryRun, ShowsHowAModelIsStarted) {
  const ProgramEnd end = Plan({"+preset=demo"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  ExpectGolden("dry_run_model", end.out);
}

TEST_F(DryRun, ShowsHowAModelIsStartedUnderNsight) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "no nsys";
  const ProgramEnd end = Plan({"+preset=demo", "pipeline.nsys.enable=true"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.out.find("under nsys and ncu: runs with "
                         "pipeline.torch_profiler.enable=false, "),
            std::string::npos)
      << end.out;
}

// `enabled` switches the profiler, `enable` the stage, also where the two are linked.
TEST_F(DryRun, RunsAStageWithoutItsProfilerOnlyIfOneSwitchMirrorsTheOther) {
  const struct {
    std::vector<std::string> overrides;
    bool runs;
  } cases[] = {
      {{"pipeline.torch_profiler.enabled=false"}, true},
      {{"pipeline.torch_profiler.enabled=false",
        "pipeline.torch_profiler.enable=${.enabled}"},
       true},
      {{"pipeline.torch_profiler.enabled=false",
        "pipeline.torch_profiler.enable=${..torch_profiler.enabled}"},
       true},
      {{"pipeline.torch_profiler.enable=${user.x}", "+user.x=false"}, false},
      {{"pipeline.torch_profiler.enable=${user.x}", "+user.x=true"}, true},
      {{"pipeline.torch_profiler.enable=false"}, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.overrides));
    std::vector<std::string> arguments = {"+preset=demo"};
    arguments.insert(arguments.end(), c.overrides.begin(), c.overrides.end());
    const ProgramEnd end = Plan(arguments);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.out.find(". torch_profiler\n") != std::string::npos, c.runs) << end.out;
  }
}

TEST_F(DryRun, NamesMissingInputs) {
  const ProgramEnd end = Plan({"+preset=demo", "dataset.root=/nowhere"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.out.find("\ncannot start yet: /nowhere: No such file or directory; set "
                         "dataset.root to the directory with the pages\n"),
            std::string::npos)
      << end.out;
}

TEST_F(DryRun, MeasuresAProgramThatIsNotPython) {
  const struct {
    const char* what;
    std::vector<std::string> arguments;
    bool measures;
  } cases[] = {
      {"a program", {"--", "/bin/true"}, true},
      {"turned off by the user",
       {"pipeline.direct_inference.enable=false", "--", "/bin/true"},
       false},
      {"a Python program", {"--", "python3", "-c", "pass"}, false},
      {"a program in the configuration",
       {"pipeline.workload.command=[/bin/true]"},
       false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const ProgramEnd end = Plan(c.arguments);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.out.find(". direct_inference\n") != std::string::npos, c.measures);
    EXPECT_EQ(end.err.find("note: not a Python program") != std::string::npos,
              c.measures);
  }
}

TEST_F(DryRun, SaysWhichToolIsMissing) {
  SetPath("/nowhere");
  const ProgramEnd end = Plan(
      {"pipeline.workload.command=[/bin/sh]", "pipeline.static_analysis.enable=false",
       "pipeline.torch_profiler.enable=false", "pipeline.nsys.enable=true"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.out.find("will be skipped: nsys not installed (no program 'nsys' "
                         "found in PATH); see `ridgeline doctor`"),
            std::string::npos)
      << end.out;
}

}  // namespace
}  // namespace ridgeline::run
