// What a run leaves on disk, and where.
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;

class RunDirectory : public Playground {
 protected:
  ProgramEnd RunWith(std::vector<std::string> more,
                     const std::vector<std::string>& command = {"pwd"}) {
    std::vector<std::string> arguments = Direct(command);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  }
};

TEST_F(RunDirectory, HoldsItsProvenance) {
  const ProgramEnd end = RunWith({"+user.note=first"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const fs::path run = OnlyRun();
  EXPECT_EQ(end.out, run.string() + "\n");
  EXPECT_NE(ReadFile(run / "config.yaml").find("note: first"), std::string::npos);
  EXPECT_NE(ReadFile(run / "overrides.yaml").find("- +user.note=first\n"),
            std::string::npos);
  EXPECT_NE(ReadFile(run / "inputs.yaml").find("sha256: "), std::string::npos);
  EXPECT_NE(ReadFile(run / "assumptions.md").find("- Workload: pwd.\n"),
            std::string::npos);
  const auto environment = nlohmann::json::parse(ReadFile(run / "env.json"));
  EXPECT_EQ(environment.at("schema_version"), 2);
  EXPECT_EQ(ManifestOf(run).state, State::kDone);
  EXPECT_FALSE(fs::exists(run / "tmp/manifest.json"));
}

TEST_F(RunDirectory, BehindALinkIsNamedByItsTruePlace) {
  fs::create_directory(directory() / "disk");
  fs::create_directory_symlink(directory() / "disk", directory() / "link");
  const std::string disk = fs::canonical(directory() / "disk").string();
  const ProgramEnd end = RunWith({"hydra.run.dir=link"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.err.find("link is a symbolic link; the run is in " + disk),
            std::string::npos)
      << end.err;
  EXPECT_EQ(end.out, disk + "\n");
  EXPECT_EQ(ManifestOf(disk).directory, disk);
  EXPECT_TRUE(fs::is_symlink(directory() / "link"));

  fs::create_symlink("nowhere", directory() / "broken");
  const ProgramEnd broken = RunWith({"hydra.run.dir=broken"});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_NE(broken.err.find("a symbolic link to a missing directory"), std::string::npos);
}

TEST_F(RunDirectory, HasCommandsThatCanBePasted) {
  ASSERT_EQ(RunWith({"+pipeline.workload.env.WHO='a b'"}, {"sh", "-c", "echo \"$WHO\""})
                .exit_code,
            0);
  const fs::path cmd = OnlyRun() / "direct_inference/cmd.txt";
  const fs::path out = directory() / "out";
  ASSERT_EQ(std::system(("sh " + cmd.string() + " > " + out.string()).c_str()), 0);
  EXPECT_EQ(ReadFile(out), "a b\n");
}

TEST_F(RunDirectory, KeepsSecretsOutOfItsFiles) {
  const std::string secret = "a secret of " + std::to_string(::getpid());
  AddVariable("WHERE_A_TEST_KEEPS_IT=" + secret);
  const ProgramEnd end = RunWith(
      {"+pipeline.workload.env.HF_TOKEN=${oc.env:WHERE_A_TEST_KEEPS_IT}"}, {"true"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(OnlyRun())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(ReadFile(entry.path()).find(secret), std::string::npos) << entry.path();
  }
  EXPECT_GT(files, 10u);
}

TEST_F(RunDirectory, PassesNoSecretOnInReports) {
  const std::string secret = "typed_by_hand";
  ASSERT_EQ(RunWith({"+pipeline.workload.env.HF_TOKEN=" + secret}, {"true"}).exit_code,
            0);
  for (const char* const file :
       {"metrics.json", "report.html", "report.md", "stakeholder_summary.md"}) {
    EXPECT_EQ(ReadFile(OnlyRun() / file).find(secret), std::string::npos) << file;
  }
  EXPECT_NE(ReadFile(OnlyRun() / "metrics.json").find("HF_TOKEN=REDACTED"),
            std::string::npos);
}

// Everything that a run writes must be known before it begins: a directory in which
// something has one of these names is refused.
TEST_F(RunDirectory, OverwritesNothingOfTheUser) {
  ASSERT_EQ(RunWith({"hydra.run.dir=first", "hydra.output_subdir=.hydra"}).exit_code, 0);
  size_t tried = 0;
  for (const auto& entry : fs::directory_iterator(directory() / "first")) {
    const std::string name = entry.path().filename();
    if (name == "manifest.json") continue;
    SCOPED_TRACE(name);
    const fs::path users = directory() / "users" / name;
    const fs::path file = entry.is_directory() ? users / "config.yaml" : users;
    fs::create_directories(file.parent_path());
    WriteFile(file, "of the user");
    const ProgramEnd end = RunWith({"hydra.run.dir=users", "hydra.output_subdir=.hydra"});
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_NE(end.err.find("files that a run would overwrite: " + name),
              std::string::npos)
        << end.err;
    EXPECT_EQ(ReadFile(file), "of the user");
    fs::remove_all(directory() / "users");
    ++tried;
  }
  EXPECT_GT(tried, 9u);
}

TEST_F(RunDirectory, MayContainOtherFilesOfTheUser) {
  fs::create_directories(directory() / "users");
  WriteFile(directory() / "users/thesis.tex", "x");
  EXPECT_EQ(RunWith({"hydra.run.dir=users"}).exit_code, 0);
  EXPECT_EQ(ReadFile(directory() / "users/thesis.tex"), "x");
}

TEST_F(RunDirectory, TwoRunsOfTheSameSecondGetTwo) {
  std::vector<std::string> arguments = Direct({"sleep", "0.2"});
  arguments.push_back("hydra.run.dir=tmp/profile-output/same");
  std::vector<pid_t> programs;
  for (int i = 0; i < 4; ++i) programs.push_back(Start(arguments));
  for (const pid_t program : programs) EXPECT_EQ(Wait(program).exit_code, 0);
  std::vector<std::string> names;
  for (const fs::path& run : Runs()) {
    names.push_back(run.filename());
    const artifacts::Manifest manifest = ManifestOf(run);
    EXPECT_EQ(manifest.state, State::kDone);
    EXPECT_EQ(manifest.directory, run.string());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"same", "same-2", "same-3", "same-4"}));
}

TEST_F(RunDirectory, IsWhereHydraWouldHaveIt) {
  struct Case {
    const char* what;
    std::vector<std::string> overrides;
    std::string pwd;                 // Of the workload.
    std::vector<std::string> files;  // That must be there.
  };
  const std::string here = directory().string();
  const Case cases[] = {
      {"relative to here", {"hydra.run.dir=a/b"}, here, {"a/b/manifest.json"}},
      {"absolute", {"hydra.run.dir=" + here + "/c"}, here, {"c/manifest.json"}},
      {"under its older name",
       {"artifacts.runs_dir=" + here + "/d"},
       here,
       {"d/manifest.json"}},
      {"with Hydra's own files",
       {"hydra.run.dir=e", "hydra.output_subdir=.hydra"},
       here,
       {"e/.hydra/config.yaml", "e/.hydra/hydra.yaml", "e/.hydra/overrides.yaml"}},
      {"a workload where jobs of Hydra run",
       {"hydra.run.dir=f", "pipeline.workload.cwd=null"},
       here + "/f",
       {}},
      {"and without chdir",
       {"hydra.run.dir=g", "pipeline.workload.cwd=null", "hydra.job.chdir=false"},
       here,
       {}},
      {"a workload elsewhere", {"hydra.run.dir=h", "pipeline.workload.cwd=/"}, "/", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProgramEnd end = RunWith(c.overrides);
    ASSERT_EQ(end.exit_code, 0) << end.err;
    for (const std::string& file : c.files) EXPECT_TRUE(fs::exists(directory() / file));
    const fs::path run = end.out.substr(0, end.out.find('\n'));
    EXPECT_EQ(ReadFile(run / "direct_inference/workload.log"), c.pwd + "\n");
  }
}

TEST_F(RunDirectory, ThatCannotBeWrittenIsOneClearError) {
  WriteFile(directory() / "file", "");
  struct Case {
    const char* directory;
    const char* message;
  };
  for (const Case& c : {Case{"file/run", "file"}, Case{"/proc/nowhere/run", "/proc/"},
                        Case{"/sys/kernel/run", "/sys/kernel/run"}}) {
    SCOPED_TRACE(c.directory);
    const ProgramEnd end = RunWith({std::string("hydra.run.dir=") + c.directory});
    EXPECT_EQ(end.exit_code, 1);
    EXPECT_NE(end.err.find(c.message), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("hydra.run.dir"), std::string::npos) << end.err;
  }
}

TEST_F(RunDirectory, SaysSoWhenTheDiskIsFull) {
  const std::string disk = directory() / "disk";
  fs::create_directories(disk);
  if (std::system(
          ("mount -t tmpfs -o size=512k tmpfs " + disk + " 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "only root can mount a small file system";
  }
  const ProgramEnd end =
      RunWith({"hydra.run.dir=disk/run"}, {"head", "-c", "10000000", "/dev/zero"});
  const artifacts::Manifest manifest = ManifestOf(fs::path(disk) / "run");
  EXPECT_EQ(std::system(("umount " + disk).c_str()), 0);
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_EQ(manifest.state, State::kFailed);
  EXPECT_NE(manifest.stages[2].reason.find("workload.log: No space left on device"),
            std::string::npos)
      << manifest.stages[2].reason;
}

// Out of memory or threads, the C++ library throws.
TEST_F(RunDirectory, DoesNotSayRunningAfterAnException) {
  std::string arguments;
  for (const std::string& word : Direct({"true"})) arguments += " \"" + word + "\"";
  int failed = 0;
  for (int megabytes = 20; megabytes <= 140; megabytes += 10) {
    const std::string name = "run" + std::to_string(megabytes);
    const std::string line = "cd " + directory().string() + "; ulimit -v " +
                             std::to_string(megabytes * 1000) + "; " + RIDGELINE_PROGRAM +
                             arguments + " hydra.run.dir=" + name + " > /dev/null 2>&1";
    failed += std::system(line.c_str()) == 0 ? 0 : 1;
    if (!fs::exists(directory() / name / "manifest.json")) continue;
    const artifacts::Manifest manifest = ManifestOf(directory() / name);
    EXPECT_NE(manifest.state, State::kRunning) << name;
    EXPECT_NE(StateOf(manifest, "direct_inference"), State::kRunning) << name;
  }
  EXPECT_GT(failed, 0);
}

TEST_F(RunDirectory, EventsAreJsonLines) {
  const ProgramEnd end = RunWith({"--json"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.err, "");
  std::vector<std::string> events;
  std::istringstream lines(end.out);
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    EXPECT_EQ(event.at("schema_version"), 2);
    events.push_back(event.at("event"));
  }
  EXPECT_EQ(events,
            (std::vector<std::string>{"run_started", "stage_started", "command_started",
                                      "stage_ended", "run_ended"}));
}

TEST_F(RunDirectory, QuietSaysOnlyWhatWentWrong) {
  EXPECT_EQ(RunWith({"-q"}).err, "");
  const ProgramEnd end = RunWith({"-q"}, {"false"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_NE(end.err.find("direct_inference  failed"), std::string::npos) << end.err;
}

TEST_F(RunDirectory, VerboseShowsCommandsAndTheirOutput) {
  const std::string err = RunWith({"-v"}, {"echo", "hello there"}).err;
  EXPECT_NE(err.find("&& echo 'hello there'\n"), std::string::npos) << err;
  EXPECT_NE(err.find("\nhello there\n"), std::string::npos) << err;
}

TEST_F(RunDirectory, AllMistakesAreToldBeforeAnythingStarts) {
  const ProgramEnd end =
      RunWith({"infer.max_new_tokens=2.5", "+pipeline.nsys.tracee=x", "device=gpu",
               "pipeline.nsys.enable=true", "pipeline.nsys.capture_range=nvtx",
               "pipeline.nsys.nvtx_capture=''"});
  EXPECT_EQ(end.exit_code, 2);
  for (const char* key : {"infer.max_new_tokens", "pipeline.nsys.tracee", "device",
                          "pipeline.nsys.nvtx_capture"}) {
    EXPECT_NE(end.err.find(key), std::string::npos) << end.err;
  }
  EXPECT_TRUE(Runs().empty());
}

}  // namespace
}  // namespace ridgeline::run
