// Secrets of every kind go into a run by every way there is; none may be in its files.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <zlib.h>

#include <array>
#include <cstdlib>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

// The bytes of a file, unpacked if it is compressed.
std::string Unpacked(const fs::path& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  std::array<char, 65536> block;
  int size = 0;
  while (file != nullptr && (size = gzread(file, block.data(), block.size())) > 0) {
    text.append(block.data(), static_cast<size_t>(size));
  }
  gzclose(file);
  return text;
}

bool EndsWithAny(const std::string& name, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&name](const char* ending) { return name.ends_with(ending); });
}

mode_t ModeOf(const fs::path& path) {
  struct stat info = {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

class SecretsPlayground : public Playground {
 protected:
  // Each contains "planted" or is in Issued().
  static std::vector<std::string> Arguments() {
    return {"--api-key=planted-flag",
            "--token",
            "planted, next 'word'",
            "https://user:planted-url@host/path",
            "-H",
            "Authorization: Bearer planted-bearer-0123",
            "--header=Cookie: session=planted-cookie",
            R"({"password": "planted json", "port": 80})",
            "hf_abcdefghijklmnopqrstuvwxyz012345",
            "ghp_abcdefghijklmnopqrstuvwxyz012345",
            "sk-proj-abcdefghijklmnopqrst0123",
            "AKIAIOSFODNN7EXAMPLE"};
  }
  static std::vector<std::string> Issued() {
    return {"hf_abcdefg", "ghp_abcdefg", "sk-proj-abc", "AKIAIOSF"};
  }
  // Those of the configuration and the environment.
  std::vector<std::string> Overrides() {
    AddVariable("HF_TOKEN=planted-variable");
    AddVariable("NCCL_PROXY=https://user:planted-known-variable@host");
    AddVariable("WHERE_IT_IS=planted-reference");
    fs::create_directories(directory() / "conf.d/user");
    WriteFile(directory() / "conf.d/user/mine.yaml",
              "# @package user\nclient_secret: planted-file\n");
    return {"--config-dir=conf.d",
            "+user=mine",
            "+user.db_password='planted override'",
            "+pipeline.workload.env.DB_PASSWORD=planted-workload-variable",
            "+pipeline.workload.env.OTHER_TOKEN=${oc.env:WHERE_IT_IS}",
            "hydra.output_subdir=.hydra"};
  }
  static std::vector<std::string> Joined(std::vector<std::string> first,
                                         const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  // Reads every file of the run, except those that are documented to keep secrets.
  void ExpectNoSecrets(const fs::path& run,
                       std::initializer_list<const char*> except = {}) {
    std::vector<std::string> secrets = Issued();
    secrets.emplace_back("planted");
    size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
      if (!entry.is_regular_file() || EndsWithAny(entry.path(), except)) continue;
      ++files;
      const std::string text = Unpacked(entry.path());
      for (const std::string& secret : secrets) {
        const size_t at = text.find(secret);
        EXPECT_EQ(at, std::string::npos)
            << entry.path() << ": " << text.substr(at < 60 ? 0 : at - 60, 120);
      }
    }
    EXPECT_GT(files, 10u);
  }
};

using Secrets = SecretsPlayground;

TEST_F(Secrets, AreInNoFileOfARunAndNotOnTheTerminal) {
  const auto command = Joined({"true"}, Arguments());
  const ProgramEnd end = Ridgeline(Joined(Direct(command), Joined(Overrides(), {"-v"})));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ExpectNoSecrets(OnlyRun());
  for (const std::string& text : {end.out, end.err}) {
    EXPECT_EQ(text.find("planted"), std::string::npos) << text;
  }
  EXPECT_THAT(ReadFile(OnlyRun() / "direct_inference/cmd.txt"),
              HasSubstr("# secrets are not recorded: replace REDACTED\n"));
}

TEST_F(Secrets, AreInNoFileOfARunThatFails) {
  const std::string script = "echo \"cannot log in with password=$DB_PASSWORD\"; exit 3";
  const ProgramEnd end = Ridgeline(Joined(Direct({"sh", "-c", script}), Overrides()));
  ASSERT_EQ(end.exit_code, 1) << end.err;
  ExpectNoSecrets(OnlyRun(), {"direct_inference/workload.log"});  // Its own words.
  EXPECT_THAT(end.err, HasSubstr("cannot log in with password=REDACTED"));
}

TEST_F(Secrets, AreNotInAPlanOrItsEvents) {
  const auto arguments = Joined(Direct(Joined({"true"}, Arguments())), Overrides());
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--dry-run"}, {"--dry-run", "--json"}, {"--json"}}) {
    const ProgramEnd end = Ridgeline(Joined(arguments, flags));
    ASSERT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ((end.out + end.err).find("planted"), std::string::npos)
        << end.out << end.err;
  }
}

TEST_F(Secrets, OfTheCommandLineCannotBeResumed) {
  const ProgramEnd failed =
      Ridgeline(Joined(Direct({"false", "--token", "planted"}), {"hydra.run.dir=out"}));
  ASSERT_EQ(failed.exit_code, 1) << failed.err;
  const ProgramEnd end = Ridgeline({"run", "--resume", "out"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("its command line contained a secret, which is not "
                                 "stored: pipeline.workload.command="));
  EXPECT_THAT(end.err,
              HasSubstr("hint: start a new run; one that reads the secret from a "
                        "variable, '${oc.env:NAME}', can be resumed"));
}

TEST_F(Secrets, OfAVariableCanBeResumed) {
  AddVariable("WHERE_IT_IS=planted");
  const ProgramEnd failed = Ridgeline(Joined(
      Direct({"sh", "-c", "test -e now"}),
      {"hydra.run.dir=out", "+pipeline.workload.env.OTHER_TOKEN=${oc.env:WHERE_IT_IS}"}));
  ASSERT_EQ(failed.exit_code, 1) << failed.err;
  WriteFile(directory() / "now", "");
  const ProgramEnd end = Ridgeline({"run", "--resume", "out"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  ExpectNoSecrets(directory() / "out");
}

TEST_F(Secrets, AreForTheOwnerOfTheRunDirectory) {
  const auto command = Direct({"true"});
  ASSERT_EQ(Ridgeline(Joined(command, {"hydra.run.dir=new/run"})).exit_code, 0);
  EXPECT_EQ(ModeOf(directory() / "new/run"), 0700);
  // A directory of the user stays as it is.
  fs::create_directories(directory() / "shared");
  fs::permissions(directory() / "shared", fs::perms(0755));
  ASSERT_EQ(Ridgeline(Joined(command, {"hydra.run.dir=shared"})).exit_code, 0);
  EXPECT_EQ(ModeOf(directory() / "shared"), 0755);
}

TEST_F(Secrets, OfASweepAreInNoFileAndNotOnTheTerminal) {
  const std::string key = "+pipeline.workload.env.API_KEY=";
  struct Case {
    std::string swept;
    const char* flag;
  };
  const Case cases[] = {
      {key + "planted-a,planted-b", "--dry-run"},
      {key + "planted-a,planted-b", "--json"},
      {key + R"("planted,a",'planted b')", "-v"},
      {key + "sort(tag(t,choice(planted-b,planted-a)))", "-v"},
      {key + "${oc.env:WHERE_IT_IS},planted-b", "-v"},
      {"+pipeline.workload.env={API_KEY:planted-a},{API_KEY:planted-b}", "-v"},
      {"pipeline.workload.command=[/bin/true,--token,planted-a],[/bin/true,-v]", "-v"},
  };
  AddVariable("WHERE_IT_IS=planted-reference");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.swept + " " + c.flag);
    const ProgramEnd end = Ridgeline(Joined(
        Direct({"true"}),
        {"-m", c.flag, c.swept, "hydra.sweep.dir=sweep", "hydra.output_subdir=.hydra"}));
    ASSERT_EQ(end.exit_code, 0) << end.err;
    const ProgramEnd status = Ridgeline({"sweep", "status", "sweep", "--json"});
    const std::string shown = end.out + end.err + status.out + status.err;
    EXPECT_EQ(shown.find("planted"), std::string::npos) << shown;
    if (std::string(c.flag) != "--dry-run") ExpectNoSecrets(directory() / "sweep");
    fs::remove_all(directory() / "sweep");
  }
}

class NsysSecrets : public SecretsPlayground {
 protected:
  void SetUp() override {
    if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  }
  ProgramEnd Capture(const std::vector<std::string>& command,
                     const std::vector<std::string>& more) {
    return Ridgeline(Joined({"run", "hydra.run.dir=out", "pipeline.nsys.enable=true",
                             "pipeline.nsys.trace='nvtx'",
                             "pipeline.workload.command=" + ListOverride(command)},
                            Joined(Overrides(), more)));
  }
};

TEST_F(NsysSecrets, AreOnlyInTheReportsOfNsys) {
  const ProgramEnd end =
      Capture(Joined({RIDGELINE_NVTX_WORKLOAD, "2", "2", "1"}, Arguments()), {});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  ExpectNoSecrets(directory() / "out", {".nsys-rep"});
  EXPECT_FALSE(fs::exists(directory() / "out/tmp/workload/nsys/private"));
}

// A tool that leaves what nsys leaves when it fails; asked for anything else, it is nsys.
constexpr const char* kFailingNsys = R"(
task=$1
for word; do
  [ "$before" = -o ] && output=$word
  before=$word
done
case $task in
  profile) env > "$output.$ENDING"; exit $STATUS;;
  export) env > "$output"; exit 0;;
esac
PATH=${PATH#*:} exec nsys "$@"
)";

TEST_F(NsysSecrets, OfFilesThatAFailureLeavesAreRemovedOrNoted) {
  SetPath(directory().string() + ":" + std::getenv("PATH"));
  struct Case {
    const char* what;
    std::string variables;
    const char* kept;
    const char* reason;
  };
  const Case cases[] = {
      {"a stream of a failed capture", "ENDING=qdstrm STATUS=1", "nsys/run.qdstrm", ""},
      {"a report whose export cannot be redacted", "ENDING=nsys-rep STATUS=0",
       "nsys/run.nsys-rep", "removed, because it may contain the environment"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    MakeScript("nsys", c.variables + kFailingNsys);
    ASSERT_EQ(Capture({"true"}, {}).exit_code, 1);
    ExpectNoSecrets(directory() / "out", {c.kept});
    EXPECT_TRUE(fs::exists(directory() / "out" / c.kept));
    const artifacts::StageRecord stage = *ManifestOf(directory() / "out").Find("nsys");
    EXPECT_THAT(stage.notes, Contains(std::string(c.kept) + " contains the process "
                                                            "environment: do not share"));
    EXPECT_THAT(stage.reason, HasSubstr(c.reason));
    fs::remove_all(directory() / "out");
  }
}

TEST_F(NsysSecrets, OfACaptureThatTimedOutStayInTheRun) {
  const fs::path temporary = directory() / "temporary";
  fs::create_directories(temporary);
  AddVariable("TMPDIR=" + temporary.string());
  const ProgramEnd end =
      Capture({"sleep", "600"}, {"pipeline.nsys.timeout_s=8", "run.grace_s=1"});
  ASSERT_EQ(end.exit_code, 1) << end.err;
  EXPECT_TRUE(fs::is_empty(temporary)) << "nsys left files outside of the run";
  ExpectNoSecrets(directory() / "out", {".nsys-rep", ".qdstrm"});
}

}  // namespace
}  // namespace ridgeline::run
