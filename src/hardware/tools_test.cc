#include "hardware/tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "os/testing/fake_process_runner.h"

namespace ridgeline::hardware {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ToolsTest, ReadsVersionsAsTheToolsPrintThem) {
  struct Case {
    const char* tool;
    const char* output;
    std::optional<std::string> want;
    std::vector<int> numbers;
  };
  const Case cases[] = {
      {"nsys",
       "NVIDIA Nsight Systems version 2022.4.2.1-df9881f\n",
       "2022.4.2.1-df9881f",
       {2022, 4, 2, 1}},
      {"nsys",
       "NVIDIA Nsight Systems version 2024.6.1.90-246135175389v0\n",
       "2024.6.1.90-246135175389v0",
       {2024, 6, 1, 90}},
      {"ncu",
       "NVIDIA (R) Nsight Compute Command Line Profiler\n"
       "Copyright (c) 2018-2022 NVIDIA Corporation\n"
       "Version 2022.3.0.0 (build 31729285) (public-release)\n",
       "2022.3.0.0",
       {2022, 3, 0, 0}},
      {"git", "git version 2.39.5\n", "2.39.5", {2, 39, 5}},
      {"git", "git version 2.39.5 (Apple Git-154)\n", "2.39.5", {2, 39, 5}},
      {"nvidia-smi",
       "NVIDIA System Management Interface -- v535.161.08\n\nNVSMI ...\n",
       "535.161.08",
       {535, 161, 8}},
      {"sbatch", "slurm 22.05.8\n", "22.05.8", {22, 5, 8}},
      {"sbatch", "slurm-wlm 22.05.8\n", "22.05.8", {22, 5, 8}},
      {"nsys", "segmentation fault\n", std::nullopt, {}},
      {"git", "", std::nullopt, {}},
      {"perf", "perf version 6.1\n", std::nullopt, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.output);
    const std::optional<std::string> version = ParseToolVersion(c.tool, c.output);
    EXPECT_EQ(version, c.want);
    EXPECT_EQ(VersionNumbers(version.value_or("")), c.numbers);
  }
}

TEST(ToolsTest, TakesTheNumbersInFrontOfAnythingElse) {
  EXPECT_THAT(VersionNumbers("2022.4.x"), ElementsAre(2022, 4));
  EXPECT_THAT(VersionNumbers("7"), ElementsAre(7));
  EXPECT_THAT(VersionNumbers("v1"), IsEmpty());
  EXPECT_THAT(VersionNumbers("99999999999999999999.1"), IsEmpty());
}

// A machine with `programs` in /bin.
ToolSearch SearchOf(std::vector<std::string> programs) {
  return {.files = SystemFiles("/no/such/root"),
          .find = [programs = std::move(programs)](
                      const std::string& name) -> Result<std::filesystem::path> {
            for (const std::string& program : programs) {
              if (program == name) return std::filesystem::path("/bin/" + name);
            }
            return Error(ErrorCode::kNotFound, name + ": not found in PATH");
          }};
}

TEST(ToolsTest, TellsWhatWorksFromWhatIsMissingOrBroken) {
  os::FakeProcessRunner processes;
  processes.Reply("/bin/git --version", {.output = "git version 2.39.5\n"});
  processes.Reply(
      "/bin/nsys --version",
      {.exit_code = 127, .output = "\nnsys: error while loading libraries\n"});
  processes.Reply("/bin/sbatch --version", {.output = "a word that we do not know\n"});
  const Tools tools = ProbeTools(processes, SearchOf({"git", "nsys", "sbatch"}));

  ASSERT_EQ(tools.all.size(), ToolNames().size());
  const Tool& git = *tools.Find("git");
  EXPECT_TRUE(git.works());
  EXPECT_EQ(git.path, "/bin/git");
  EXPECT_EQ(git.version, "2.39.5");
  EXPECT_THAT(git.version_numbers, ElementsAre(2, 39, 5));

  const Tool& nsys = *tools.Find("nsys");
  EXPECT_FALSE(nsys.works());
  EXPECT_EQ(nsys.path, "/bin/nsys");
  EXPECT_THAT(nsys.reason, testing::EndsWith("nsys: error while loading libraries"));

  const Tool& ncu = *tools.Find("ncu");
  EXPECT_EQ(ncu.reason, "ncu: not found in PATH");
  EXPECT_EQ(ncu.path, std::nullopt);

  const Tool& sbatch = *tools.Find("sbatch");
  EXPECT_TRUE(sbatch.works());
  EXPECT_EQ(sbatch.version, std::nullopt);
  EXPECT_EQ(tools.Find("perf"), nullptr);
}

TEST(ToolsTest, RunsOnlyToolsThatAreToBeAsked) {
  os::FakeProcessRunner processes;
  processes.Reply("/bin/nsys --version",
                  {.output = "NVIDIA Nsight Systems version 2022.4.2.1-df9881f\n"});
  ToolSearch search = SearchOf({"git", "nsys", "ncu"});
  search.ask = {"nsys"};
  const Tools tools = ProbeTools(processes, search);
  EXPECT_EQ(processes.commands().size(), 1U);
  EXPECT_EQ(tools.Find("nsys")->version, "2022.4.2.1-df9881f");
  EXPECT_EQ(tools.Find("ncu")->path, "/bin/ncu");
  EXPECT_EQ(tools.Find("ncu")->reason, "version not queried: no enabled stage uses it");
  EXPECT_EQ(tools.Find("sbatch")->reason, "sbatch: not found in PATH");
}

TEST(ToolsTest, AsksEachToolOnceInPlainEnglish) {
  os::FakeProcessRunner processes;
  ProbeTools(processes, SearchOf(ToolNames()));
  std::map<std::string, int> asked;
  for (const os::Command& command : processes.commands()) {
    ++asked[command.argv[0]];
    EXPECT_EQ(command.environment.at("LC_ALL"), "C");
  }
  EXPECT_EQ(asked.size(), ToolNames().size());
  for (const auto& [program, times] : asked) EXPECT_EQ(times, 1) << program;
}

}  // namespace
}  // namespace ridgeline::hardware
