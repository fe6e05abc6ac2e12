// Names in profiles are written by others. None of them may control the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// ESC, BEL, CR, DEL, and CSI as one character of C1.
constexpr const char* kHostile =
    "evil\x1b]0;owned\x07\rname\x7f\xc2\x9b"
    "2J";

// The first control character other than newline and tab; empty: none.
std::string FirstControl(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = NextUtf8(text.substr(at));
    const char32_t c = step.code_point;
    const bool is_control =
        (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    if (is_control || !step.is_valid) {
      return "byte " + std::to_string(at) + ": " +
             std::string(text.substr(at < 40 ? 0 : at - 40, 60));
    }
    at += step.length;
  }
  return "";
}

class HostileNames : public testing::Test {
 protected:
  HostileNames() {
    std::string name = testing::TempDir() + "ridgeline-hostile-XXXXXX";
    directory_ = mkdtemp(name.data());
    trace_ = directory_ / (std::string("trace") + kHostile + ".json");
    std::ofstream(trace_) << Trace().dump();
  }
  ~HostileNames() override { fs::remove_all(directory_); }

  // A kernel, an operator and an annotation.
  static nlohmann::json Trace() {
    const auto event = [](const char* category, int64_t thread, int64_t begin,
                          int64_t length) {
      return nlohmann::json{{"ph", "X"},    {"cat", category}, {"name", kHostile},
                            {"pid", 1},     {"tid", thread},   {"ts", begin},
                            {"dur", length}};
    };
    nlohmann::json kernel = event("kernel", 7, 20, 50);
    kernel["args"] = {{"device", 0}, {"stream", 7}, {"correlation", 3}};
    return {{"schemaVersion", 1},
            {"traceEvents",
             {event("user_annotation", 1, 0, 100), event("cpu_op", 1, 10, 60), kernel}}};
  }
  void ExpectHarmless(const std::vector<std::string>& arguments, int exit_code) {
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(FirstControl(result.out), "");
    EXPECT_EQ(FirstControl(result.err), "");
    EXPECT_THAT(result.out + result.err, HasSubstr("evil")) << arguments.front();
  }

  fs::path directory_;
  fs::path trace_;
};

TEST_F(HostileNames, AreShownByEveryCommand) {
  const std::string missing = (directory_ / kHostile).string();
  ExpectHarmless({"import", trace_.string()}, 0);
  ExpectHarmless({"import", trace_.string(), "--json"}, 0);
  ExpectHarmless({"import", missing}, 2);
  ExpectHarmless({"top-kernels", trace_.string()}, 2);
  ExpectHarmless({"analyze", missing}, 2);
  ExpectHarmless({"report", missing}, 2);
  ExpectHarmless({std::string("import") + kHostile}, 2);
  ExpectHarmless({"run", std::string("model.") + kHostile + "=1"}, 2);
}

TEST_F(HostileNames, AreShownInReports) {
  const fs::path out = directory_ / "report";
  const ProgramResult result =
      RunProgram({"report", trace_.string(), "-o", out.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(out)) {
    if (entry.path().extension() != ".md" && entry.path().extension() != ".json")
      continue;
    ++files;
    EXPECT_EQ(FirstControl(TextOf(entry.path())), "") << entry.path();
  }
  EXPECT_GE(files, 3u);
}

// In the name of the run directory, in an argument, in a key and in a value of the user.
TEST_F(HostileNames, AreShownInTheFilesOfARun) {
  const fs::path out = directory_ / kHostile;
  const ProgramResult result = RunProgram(
      {"run", "hydra.run.dir='" + out.string() + "'", "run.mode=light",
       "pipeline.static_analysis.enable=false", "pipeline.torch_profiler.enable=false",
       "pipeline.direct_inference.enable=true",
       std::string("pipeline.workload.command=[/bin/true,'") + kHostile + "']",
       std::string("+user.name='") + kHostile + "'"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(FirstControl(result.out + result.err), "");
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    const fs::path kind = entry.path().extension();
    // Output of the workload is kept as it is; HTML and SQLite are not for a terminal.
    if (!entry.is_regular_file() || kind == ".log" || kind == ".sqlite") continue;
    ++files;
    EXPECT_EQ(FirstControl(TextOf(entry.path())), "") << entry.path();
  }
  EXPECT_GT(files, 8u);
}

}  // namespace
}  // namespace ridgeline::cli
