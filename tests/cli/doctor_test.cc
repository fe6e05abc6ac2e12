// `ridgeline doctor` on the machine that the tests run on: what it finds differs, what it
// makes of it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

// A directory for PATH, gone after the test.
class DoctorCli : public testing::Test {
 protected:
  DoctorCli()
      : bin_(fs::path(testing::TempDir()) /
             ("doctor_test." + std::to_string(::getpid()))) {
    fs::create_directories(bin_);
  }
  ~DoctorCli() override { fs::remove_all(bin_); }

  void FakeTool(const std::string& name, const std::string& script) {
    std::ofstream(bin_ / name) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(bin_ / name, fs::perms::owner_all);
  }

  ProgramResult Doctor(std::vector<std::string> arguments,
                       const std::vector<std::string>& environment) const {
    arguments.insert(arguments.begin(), {"doctor", "--config-path", "conf"});
    return RunProgram(arguments, environment);
  }
  std::string FakePath() const { return "PATH=" + bin_.string(); }

  fs::path bin_;
};

// The line of a check, with its fix below if it has one; empty if there is none.
std::string CheckOf(const std::string& text, const std::string& subject) {
  const size_t found = text.find("  " + subject + ": ");
  if (found == std::string::npos) return "";
  const size_t begin = text.rfind('\n', found) + 1;  // npos + 1 is 0.
  size_t end = text.find('\n', found);
  if (text.compare(end + 1, 6, "      ") == 0) end = text.find('\n', end + 1);
  return text.substr(begin, end - begin);
}

// What a real program prints; empty if it is not installed.
std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* const pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  for (size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  ::pclose(pipe);
  return output;
}

TEST_F(DoctorCli, ExplainsItself) {
  ExpectGolden("doctor_help",
               Transcript({"doctor", "--help"}, RunProgram({"doctor", "--help"})));
  ExpectGolden("doctor_unknown_flag",
               Transcript({"doctor", "--jsno"}, RunProgram({"doctor", "--jsno"})));
}

TEST_F(DoctorCli, FailsWithoutTheProfilersAndSaysHowToGetThem) {
  const ProgramResult result = Doctor({"device=cpu"}, {FakePath()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "");
  for (const std::string tool : {"nsys", "ncu"}) {
    SCOPED_TRACE(tool);
    // The second where it is installed, as it may be on this machine.
    EXPECT_THAT(
        CheckOf(result.out, tool),
        MatchesRegex("FAIL  " + tool + ": (no program '" + tool +
                     "' found in PATH|installed as [^ ]*, but not in PATH); the " + tool +
                     " stage will be skipped\n      fix: (scripts/setup.sh "
                     "nsight; .*nsight-systems nsight-compute|export PATH=.*)"));
  }
  EXPECT_EQ(CheckOf(result.out, "nsys importer"), "SKIP  nsys importer: no nsys");
  EXPECT_THAT(CheckOf(result.out, "git"), HasSubstr("WARN  git: "));
}

TEST_F(DoctorCli, ReadsTheVersionsOfRealTools) {
  const std::string path = "PATH=/usr/local/bin:/usr/bin:/bin";
  const std::string real = "env " + path;
  const ProgramResult result = Doctor({"device=cpu"}, {path});
  const std::string git = OutputOf(real + " git --version");
  EXPECT_THAT(git, HasSubstr("git version "));
  EXPECT_THAT(
      CheckOf(result.out, "git"),
      HasSubstr("OK    git: " + git.substr(12, git.find_first_of(" \n", 12) - 12)));

  const std::string nsys = OutputOf(real + " nsys --version");
  const std::string ncu = OutputOf(real + " ncu --version");
  if (nsys.empty() || ncu.empty()) GTEST_SKIP() << "nsys or ncu is not installed";
  const std::string nsys_version = nsys.substr(nsys.rfind(' ') + 1);
  EXPECT_THAT(
      CheckOf(result.out, "nsys"),
      HasSubstr("OK    nsys: " + nsys_version.substr(0, nsys_version.find('\n'))));
  const size_t at = ncu.find("Version ") + 8;
  EXPECT_THAT(CheckOf(result.out, "ncu"),
              HasSubstr("OK    ncu: " + ncu.substr(at, ncu.find(' ', at) - at)));
}

TEST_F(DoctorCli, JudgesVersionsThatAreNotInstalledHere) {
  FakeTool("nsys", "echo NVIDIA Nsight Systems version 2020.3.4.32-52657a0");
  FakeTool("ncu", "echo 'Version 2024.3.2.0 (build 34861637) (public-release)'");
  FakeTool("git", "echo git: cannot load a library >&2; exit 127");
  FakeTool("sbatch", "echo slurm 22.05.8");
  FakeTool("scontrol", "echo 'MaxArraySize            = 501'");
  FakeTool("sinfo", "echo 'gpu*|up|1-00:00:00|8'");
  const ProgramResult result = Doctor({"device=cpu"}, {FakePath()});
  EXPECT_EQ(result.exit_code, 3);
  const std::string bin = bin_.string();
  EXPECT_THAT(CheckOf(result.out, "nsys"),
              HasSubstr("FAIL  nsys: 2020.3.4.32-52657a0 (" + bin + "/nsys): too old"));
  EXPECT_THAT(CheckOf(result.out, "nsys"), HasSubstr("\n      fix: install 2021.4 or "));
  EXPECT_EQ(CheckOf(result.out, "ncu"),
            "OK    ncu: 2024.3.2.0 (" + bin +
                "/ncu); newer than 2022.3, the newest tested version");
  EXPECT_THAT(
      CheckOf(result.out, "git"),
      HasSubstr("WARN  git: --version: exit code 127: git: cannot load a library"));
  EXPECT_EQ(CheckOf(result.out, "slurm"),
            "OK    slurm: 22.05.8 (" + bin +
                "/sbatch); partitions gpu (default, 8 nodes, at most 1-00:00:00); arrays "
                "of at most 501 jobs; no accounting (sacct)");
}

TEST_F(DoctorCli, EndsWithZeroWhenNothingFails) {
  FakeTool("nsys", "echo NVIDIA Nsight Systems version 2022.4.2.1-df9881f");
  FakeTool("ncu", "echo 'Version 2022.3.0.0 (build 31729285) (public-release)'");
  const ProgramResult result = Doctor({"+preset=demo"}, {FakePath()});
  if (CheckOf(result.out, "gpu counters").starts_with("FAIL") ||
      CheckOf(result.out, "disk space").starts_with("FAIL")) {
    GTEST_SKIP() << "this machine is in trouble:\n" << result.out;
  }
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, Not(HasSubstr("FAIL")));
  EXPECT_THAT(CheckOf(result.out, "run directory"),
              HasSubstr("tmp/profile-output"));  // As conf/config.yaml has it.
}

TEST_F(DoctorCli, AsksForAGpuOnlyIfTheConfigurationDoes) {
  const ProgramResult cpu = Doctor({"device=cpu"}, {FakePath()});
  if (CheckOf(cpu.out, "gpu").starts_with("OK")) GTEST_SKIP() << "there is a GPU here";
  EXPECT_THAT(CheckOf(cpu.out, "gpu"), HasSubstr("SKIP  gpu: none ("));
  const ProgramResult cuda = Doctor({"device=cuda:0"}, {FakePath()});
  EXPECT_THAT(CheckOf(cuda.out, "gpu"), HasSubstr("FAIL  gpu: none ("));
  EXPECT_THAT(CheckOf(cuda.out, "gpu"),
              HasSubstr("device=cuda:0 is configured\n      fix: "));
}

TEST_F(DoctorCli, ChecksAProgramInsteadOfTheModel) {
  const ProgramResult found = Doctor({"--", "/bin/sh", "-c", "exit 1"}, {FakePath()});
  EXPECT_EQ(CheckOf(found.out, "inputs"), "OK    inputs: 1 file");
  EXPECT_THAT(CheckOf(found.out, "configuration"), HasSubstr("OK  "));
  EXPECT_THAT(CheckOf(found.out, "gpu"), Not(HasSubstr("FAIL")));
  const ProgramResult missing = Doctor({"--", "./nosuch"}, {FakePath()});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(CheckOf(missing.out, "inputs"),
              MatchesRegex("FAIL  inputs: /.*/nosuch: No such file or directory\n"
                           "      fix: correct the path of the program.*"));
  const ProgramResult script = Doctor({"--", "python3", "nosuch.py"}, {FakePath()});
  EXPECT_THAT(CheckOf(script.out, "inputs"),
              HasSubstr("FAIL  inputs: no such script: /"));
  const ProgramResult nothing = Doctor({"--"}, {});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("nothing after --"));
}

TEST_F(DoctorCli, ReportsAWrongConfigurationAsOneOfItsFindings) {
  const ProgramResult result = Doctor({"run.repeats=0"}, {FakePath()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(CheckOf(result.out, "configuration"),
              HasSubstr("FAIL  configuration: run.repeats: expected an integer >= 1, got "
                        "0; at override 'run.repeats=0'\n      fix: "));
  EXPECT_EQ(CheckOf(result.out, "run directory"),
            "SKIP  run directory: unknown without a valid configuration");
}

TEST_F(DoctorCli, PrintsTheSameAsJson) {
  const ProgramResult text = Doctor({"device=cpu"}, {FakePath()});
  const ProgramResult result = Doctor({"device=cpu", "--json"}, {FakePath()});
  EXPECT_EQ(result.exit_code, text.exit_code);
  const auto json = nlohmann::ordered_json::parse(result.out);
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["command"], "doctor");
  EXPECT_EQ(json["verdict"], "fail");
  ASSERT_FALSE(json["checks"].empty());
  for (const auto& check : json["checks"]) {
    SCOPED_TRACE(check.dump());
    const std::string verdict = check["verdict"];
    EXPECT_EQ(check["fix"].is_null(), verdict == "ok" || verdict == "skip");
    EXPECT_NE(CheckOf(text.out, check["subject"]), "");
  }
}

}  // namespace
}  // namespace ridgeline::cli
