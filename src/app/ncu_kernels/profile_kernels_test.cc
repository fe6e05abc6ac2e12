#include "app/ncu_kernels/profile_kernels.h"

#include <gmock/gmock.h>

#include <sstream>

#include "os/files.h"
#include "os/scratch_directory.h"
#include "os/testing/fake_process_runner.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Two kernels, "f" and "g", and a fake ncu that behaves like the real one. A complete
// report, without launches.
constexpr std::string_view kReport("NVR\0\0\0\0\0", 8);

class ProfileKernelsTest : public testing::Test {
 protected:
  ProfileKernelsTest() {
    job_.kernels = KernelsOfRegexes({"f", "g"});
    job_.sections = {"Occupancy"};
    job_.application = {"./app"};
    job_.directory = scratch_.path();
  }

  static std::string WordAfter(const os::Command& command, const std::string& flag) {
    const auto found = std::find(command.argv.begin(), command.argv.end(), flag);
    return found == command.argv.end() ? "" : *(found + 1);
  }

  // Captures write a report from which the kernels named in `profiled` can be printed.
  void ScriptNcu(const std::string& profiled, std::string_view bytes = kReport) {
    processes_.Reply(
        "ncu --target-processes", {.output = "==PROF== Connected\n"},
        [bytes](const os::Command& command, const os::ProcessOptions&) {
          const std::string report = WordAfter(command, "--export");
          ASSERT_TRUE(os::WriteFileAtomically(report + ".ncu-rep", bytes).ok());
        });
    processes_.Reply(
        "ncu --import", {},
        [profiled](const os::Command& command, const os::ProcessOptions& options) {
          const std::string name = WordAfter(command, "--kernel-name").substr(6);
          const bool found = profiled.find(name) != std::string::npos;
          const std::string csv = found
                                      ? "\"ID\",\"Kernel Name\"\n\"0\",\"" + name + "\"\n"
                                      : std::string("\"ID\",\"Kernel Name\"\n");
          ASSERT_TRUE(os::WriteFileAtomically(options.output_file, csv).ok());
        });
  }

  std::vector<std::string> Files(const fs::path& directory) const {
    std::vector<std::string> names;
    const std::vector<os::DirectoryEntry> entries = os::ListDirectory(directory).value();
    for (const os::DirectoryEntry& entry : entries) {
      names.push_back(entry.name);
    }
    return names;
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("ridgeline-kernels").value();
  KernelsJob job_;
  os::FakeProcessRunner processes_;
  std::ostringstream talk_;
  const std::string f_ = "kernel_0001_8fa14cdd754f91cc6554c9e71929cce7";
  const std::string g_ = "kernel_0002_b2f5ff47436671b6e533d8dc3614845d";
};

TEST_F(ProfileKernelsTest, TakesOneReportApart) {
  job_.mode = RunMode::kOneRun;
  ScriptNcu("fg");
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_TRUE(profiled.ok()) << profiled.error().message();
  EXPECT_EQ(profiled.value().Count(), 2u);
  EXPECT_EQ(profiled.value().capture_commands.size(), 1u);
  EXPECT_THAT(Files(job_.directory), ElementsAre(f_, g_, "run_1.ncu-rep"));
  EXPECT_THAT(Files(job_.directory / g_),
              ElementsAre("ncu.details.csv", "ncu.ncu-rep", "ncu.raw.csv",
                          "ncu.section_Occupancy.csv"));
  EXPECT_EQ(os::ReadFile(job_.directory / g_ / "ncu.ncu-rep").value(), kReport);
  EXPECT_THAT(os::ReadFile(job_.directory / g_ / "ncu.raw.csv").value(),
              HasSubstr("\"g\""));
  EXPECT_EQ(talk_.str(), "==PROF== Connected\n");
}

// The second kernel shares its launch configurations with the first.
TEST_F(ProfileKernelsTest, RunsAgainForKernelsThatWereMissed) {
  job_.kernels = KernelsOfRegexes({"f", "g", "h"});
  ScriptNcu("fg");
  processes_.Reply("ncu --import " + (job_.directory / "run_1.ncu-rep").string(), {},
                   [](const os::Command& command, const os::ProcessOptions& options) {
                     const bool is_f = WordAfter(command, "--kernel-name") == "regex:f";
                     ASSERT_TRUE(os::WriteFileAtomically(options.output_file,
                                                         is_f ? "\"ID\"\n\"0\"\n" : "")
                                     .ok());
                   });
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_TRUE(profiled.ok()) << profiled.error().message();
  EXPECT_THAT(profiled.value().is_profiled, ElementsAre(true, true, false));
  // For all three, for g and h, for h alone.
  ASSERT_EQ(profiled.value().capture_commands.size(), 3u);
  EXPECT_THAT(profiled.value().capture_commands[1], HasSubstr("'regex:(g)|(h)'"));
  EXPECT_THAT(profiled.value().capture_commands[2], HasSubstr("regex:h --launch-skip"));
  EXPECT_THAT(Files(job_.directory),
              ElementsAre(f_, g_, "run_1.ncu-rep", "run_2.ncu-rep"));
  EXPECT_THAT(talk_.str(), HasSubstr("note: 2 kernels were not among the profiled "
                                     "launches; rerunning the application\n"));
}

TEST_F(ProfileKernelsTest, LeavesNothingOfAKernelThatIsNotInTheReport) {
  for (const RunMode mode : {RunMode::kOneRun, RunMode::kRunPerKernel}) {
    job_.mode = mode;
    ScriptNcu("g");
    const auto profiled = ProfileKernels(job_, processes_, talk_);
    ASSERT_TRUE(profiled.ok()) << profiled.error().message();
    EXPECT_THAT(profiled.value().is_profiled, ElementsAre(false, true));
    EXPECT_FALSE(os::Exists(job_.directory / f_));
    EXPECT_TRUE(os::Exists(job_.directory / g_ / "ncu.ncu-rep"));
    ASSERT_TRUE(os::RemoveAll(job_.directory / g_).ok());
  }
}

TEST_F(ProfileKernelsTest, RunsOncePerKernel) {
  job_.mode = RunMode::kRunPerKernel;
  ScriptNcu("fg");
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_TRUE(profiled.ok()) << profiled.error().message();
  EXPECT_EQ(profiled.value().capture_commands.size(), 2u);
  EXPECT_THAT(Files(job_.directory), ElementsAre(f_, g_));
  EXPECT_TRUE(
      fs::is_regular_file(fs::symlink_status(job_.directory / f_ / "ncu.ncu-rep")));
}

TEST_F(ProfileKernelsTest, TellsThatNoKernelWasSeen) {
  for (const RunMode mode : {RunMode::kOneRun, RunMode::kRunPerKernel}) {
    job_.mode = mode;
    processes_.Reply("ncu", {.exit_code = 7,
                             .output = "==ERROR== The application returned an error code "
                                       "(7).\n==WARNING== No kernels were profiled."});
    const auto profiled = ProfileKernels(job_, processes_, talk_);
    ASSERT_TRUE(profiled.ok()) << profiled.error().message();
    EXPECT_EQ(profiled.value().Count(), 0u);
    EXPECT_EQ(profiled.value().application_exit_code, 7);
    EXPECT_THAT(Files(job_.directory), testing::IsEmpty());
  }
}

TEST_F(ProfileKernelsTest, StopsWhenInterrupted) {
  job_.mode = RunMode::kRunPerKernel;
  processes_.Reply("ncu", {.exit_code = 130, .interrupted_by = 2});
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_TRUE(profiled.ok());
  EXPECT_EQ(profiled.value().interrupted_by, 2);
  EXPECT_EQ(processes_.commands().size(), 1u);
}

TEST_F(ProfileKernelsTest, SaysWhyAReportCannotBeRead) {
  job_.mode = RunMode::kOneRun;
  ScriptNcu("fg");
  processes_.Reply("ncu --import", {.exit_code = 1},
                   [](const os::Command&, const os::ProcessOptions& options) {
                     ASSERT_TRUE(os::WriteFileAtomically(options.output_file,
                                                         "==ERROR== Failed to load\n")
                                     .ok());
                   });
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_FALSE(profiled.ok());
  EXPECT_EQ(profiled.error().message(),
            "ncu cannot read its report (exit code 1): ==ERROR== Failed to load");
}

TEST_F(ProfileKernelsTest, RecordsWhatWasDone) {
  const NcuKernelsOptions options = {.kernel_config = "", .regexes = {"f", "g"}};
  const ProfiledKernels profiled = {.is_profiled = {true, false},
                                    .capture_commands = {"ncu ./app"},
                                    .application_exit_code = 3,
                                    .interrupted_by = {}};
  EXPECT_EQ(CommandYaml({.timestamp = "2026-01-02T03:04:05.678+00:00",
                         .version = "0.1.0",
                         .ncu_version = "2022.3.0.0",
                         .output_dir = "out"},
                        options, job_, profiled),
            "timestamp: '2026-01-02T03:04:05.678+00:00'\n"
            "script: 'ridgeline ncu-kernels'\n"
            "version: '0.1.0'\n"
            "output_dir: 'out'\n"
            "kernel_source: 'regex'\n"
            "launch_skip: 200\n"
            "launch_count: 1\n"
            "sections:\n- 'Occupancy'\n"
            "launch_command:\n- './app'\n"
            "kernel_regex:\n- 'f'\n- 'g'\n"
            "ncu_version: '2022.3.0.0'\n"
            "mode: 'one-run'\n"
            "application_exit_code: 3\n"
            "ncu_commands:\n- 'ncu ./app'\n"
            "kernels:\n"
            "- name: 'f'\n  regex: 'f'\n  profiled: true\n"
            "  directory: '" +
                f_ +
                "'\n"
                "- name: 'g'\n  regex: 'g'\n  profiled: false\n  directory: null\n");
}

// ncu prints nothing for it, as for a kernel that it did not profile.
TEST_F(ProfileKernelsTest, DoesNotTakeABrokenReportForOneWithoutTheKernel) {
  ScriptNcu("", "not a report");
  const auto profiled = ProfileKernels(job_, processes_, talk_);
  ASSERT_FALSE(profiled.ok());
  EXPECT_THAT(profiled.error().message(), HasSubstr("UnreadableReport"));
}

}  // namespace
}  // namespace ridgeline::app
