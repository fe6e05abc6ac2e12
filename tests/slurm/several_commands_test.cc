// Commands on a sweep while another one submits its jobs, and after files were damaged.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "os/testing/eventually.h"
#include "slurm/slurm_sweep.h"

namespace ridgeline::slurm {
namespace {

namespace fs = std::filesystem;

class SlowSubmission : public SlurmSweep {
 protected:
  // From now on sbatch waits for the file `submit`.
  void SlowDown() {
    fs::create_directories(Path("bin"));
    MakeScript("bin/sbatch",
               "echo x >> calls; while [ ! -e submit ]; do sleep 0.05; done\n"
               "PATH=${PATH#*:} exec sbatch \"$@\"\n");
    SetPath(Path("bin").string() + ":" + std::getenv("PATH"));
  }
  void WaitForCalls(const std::string& calls) {
    EXPECT_TRUE(os::Eventually([&] { return ReadFile(Path("calls")) == calls; }));
  }
};

TEST_F(SlowSubmission, IsWaitedForAndNotMadeTwice) {
  MakeScript("work", "echo $N >> starts; [ -e go ]\n");
  SlowDown();
  const pid_t program = Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1"}));
  WaitForCalls("x\n");
  const run::ProgramEnd status = Ridgeline({"sweep", "status", "sweep"});
  EXPECT_NE(status.out.find("being submitted"), std::string::npos) << status.out;
  const pid_t attached = Start({"sweep", "attach", "sweep"});
  WriteFile(Path("submit"), "");
  EXPECT_EQ(Wait(program).exit_code, 1);
  const run::ProgramEnd end = Wait(attached);
  EXPECT_NE(end.out.find("\n2 failed\n"), std::string::npos) << end.out << end.err;
  EXPECT_EQ(end.out.find("not submitted"), std::string::npos) << end.out;

  fs::remove(Path("submit"));
  WriteFile(Path("go"), "");
  const pid_t resumes[] = {Start({"sweep", "resume", "sweep"}),
                           Start({"sweep", "resume", "sweep"})};
  WaitForCalls("x\nx\n");
  WriteFile(Path("submit"), "");
  for (const pid_t resume : resumes) {
    const run::ProgramEnd resumed = Wait(resume);
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  }
  EXPECT_EQ(ReadFile(Path("calls")), "x\nx\n");
  EXPECT_FALSE(fs::exists(Path("sweep/submissions/2.json")));
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 2}, {"1", 2}}));
}

TEST_F(SlowSubmission, IsCancelledWhenItIsMade) {
  MakeScript("work", "echo $N >> starts; exec sleep 1000\n");
  SlowDown();
  const pid_t program =
      Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1", "run.grace_s=1"}));
  WaitForCalls("x\n");
  const pid_t cancel = Start({"sweep", "cancel", "sweep"});
  WriteFile(Path("submit"), "");
  const run::ProgramEnd end = Wait(cancel);
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.err.find("cancelled 2 jobs; 0 had already ended; none left in Slurm\n"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(Wait(program).exit_code, 1);
  ExpectEmptyQueue();
}

using WatchedSweep = SlurmSweep;

// The last answer of Slurm is older than the new submission, and says nothing about it.
TEST_F(WatchedSweep, KnowsThatAnotherCommandHasResumedAJob) {
  MakeScript("work",
             "echo $N >> starts; [ $N = 1 ] || [ -e go ] || exit 1\n"
             "while [ ! -e end ]; do sleep 0.1; done\n");
  const pid_t watcher = Start(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1"}));
  ASSERT_TRUE(
      os::Eventually([&] { return fs::exists(Path("sweep/jobs/0.0.0.ended.json")); }));
  WriteFile(Path("go"), "");
  const pid_t resume = Start({"sweep", "resume", "sweep"});
  EXPECT_TRUE(os::Eventually([&] { return Starts()["0"] == 2; }));
  std::this_thread::sleep_for(std::chrono::seconds(2));  // The watcher looks again.
  WriteFile(Path("end"), "");
  for (const pid_t command : {watcher, resume}) {
    const run::ProgramEnd end = Wait(command);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.err.find("no longer knows"), std::string::npos) << end.err;
  }
  EXPECT_FALSE(fs::exists(Path("sweep/jobs/0.1.0.slurm.json")));
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 2}, {"1", 1}}));
}

using DamagedSweep = SlurmSweep;

TEST_F(DamagedSweep, IsShownAndResumedWithoutTheFilesThatCannotBeRead) {
  MakeScript("work", "echo $N >> starts; [ $N != 2 ] || [ -e go ]\n");
  EXPECT_EQ(
      Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=range(3)"})).exit_code,
      1);
  const std::pair<const char*, const char*> damages[] = {
      {"sweep/jobs/0.0.0.ended.json", "{\"schema_ver"},
      {"sweep/jobs/1.0.0.started.json", ""},
      {"sweep/submissions/0.json", "\xff"}};
  for (const auto& [file, text] : damages) WriteFile(Path(file), text);
  for (const char* const action : {"status", "attach", "cancel", "resume"}) {
    SCOPED_TRACE(action);
    if (std::string(action) == "resume") WriteFile(Path("go"), "");
    const run::ProgramEnd end = Ridgeline({"sweep", action, "sweep"});
    EXPECT_EQ(end.exit_code, std::string(action) == "attach" ? 1 : 0) << end.err;
    EXPECT_NE(end.err.find(Path(damages[0].first).string() +
                           ": is not JSON; the file is ignored\n"),
              std::string::npos)
        << end.err;
    EXPECT_NE(end.out.find(std::string(action) == "resume" ? "\n3 done\n"
                                                           : "\n2 done, 1 failed\n"),
              std::string::npos)
        << end.out << end.err;
  }
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 1}, {"1", 1}, {"2", 2}}));
  // Slurm knew what was in it.
  EXPECT_NE(ReadFile(Path("sweep/submissions/0.json")).find("\"slurm_id\": \"1\""),
            std::string::npos);
}

TEST_F(DamagedSweep, RunsJobsAgainWhoseRunWasDeleted) {
  MakeScript("work", "echo $N >> starts\n");
  EXPECT_EQ(Ridgeline(Arguments({"./work"}, {"+pipeline.workload.env.N=0,1"})).exit_code,
            0);
  fs::remove_all(Path("sweep/1"));
  const run::ProgramEnd status = Ridgeline({"sweep", "status", "sweep"});
  EXPECT_NE(status.out.find("run directory is missing\n2 done\n"), std::string::npos)
      << status.out;
  const run::ProgramEnd end = Ridgeline({"sweep", "resume", "sweep"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_NE(end.err.find("resuming 1 of 2 jobs"), std::string::npos) << end.err;
  EXPECT_EQ(end.out.find("missing"), std::string::npos) << end.out;
  EXPECT_EQ(Starts(), (std::map<std::string, int>{{"0", 1}, {"1", 2}}));
  EXPECT_TRUE(fs::exists(Path("sweep/1/manifest.json")));
}

}  // namespace
}  // namespace ridgeline::slurm
