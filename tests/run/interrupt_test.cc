#include <csignal>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

using artifacts::State;

class Interrupt : public Playground {
 protected:
  // Starts a run, waits until its workload says that it is ready, and sends it
  // `signal_number`.
  ProgramEnd RunAndSignal(const std::string& script, int signal_number,
                          const std::string& grace_s) {
    std::vector<std::string> arguments = Direct({"sh", "-c", script});
    arguments.push_back("run.grace_s=" + grace_s);
    arguments.push_back("pipeline.nsys.enable=true");
    const pid_t program = Start(arguments);
    WaitForFile(directory() / "ready");
    ::kill(program, signal_number);
    return Wait(program);
  }
};

TEST_F(Interrupt, EndsTheWorkloadAndSaysSo) {
  struct Case {
    int signal;
    int exit_code;
  };
  for (const Case& c : {Case{SIGINT, 130}, Case{SIGTERM, 143}}) {
    SCOPED_TRACE(c.signal);
    std::filesystem::remove_all(directory() / "tmp");
    std::filesystem::remove(directory() / "ready");
    const ProgramEnd end = RunAndSignal(
        "trap 'echo cleaned > up; exit 0' INT TERM; sleep 1000 & echo > ready; wait",
        c.signal, "100");
    EXPECT_EQ(end.exit_code, c.exit_code) << end.err;
    const artifacts::Manifest manifest = ManifestOf(OnlyRun());
    EXPECT_EQ(manifest.state, State::kInterrupted);
    EXPECT_EQ(manifest.exit_code, c.exit_code);
    EXPECT_EQ(StateOf(manifest, "direct_inference"), State::kInterrupted);
    EXPECT_EQ(StateOf(manifest, "nsys"), State::kPending);
    EXPECT_EQ(ReadFile(directory() / "up"), "cleaned\n");
    EXPECT_TRUE(Descendants().empty());
  }
}

TEST_F(Interrupt, KillsWhatDoesNotListenAfterItsGrace) {
  const ProgramEnd end = RunAndSignal(
      "trap '' INT TERM; echo > ready; while :; do sleep 1; done", SIGINT, "0.3");
  EXPECT_EQ(end.exit_code, 130);
  const artifacts::Manifest manifest = ManifestOf(OnlyRun());
  EXPECT_EQ(manifest.stages[2].processes.at(0).signal, SIGKILL);
  EXPECT_TRUE(Descendants().empty());
}

TEST_F(Interrupt, ASecondOneDoesNotWaitForTheGrace) {
  std::vector<std::string> arguments =
      Direct({"sh", "-c",
              "trap 'echo > heard' INT; echo > ready; while :; do sleep 0.01; done"});
  arguments.push_back("run.grace_s=1000");
  const pid_t program = Start(arguments);
  WaitForFile(directory() / "ready");
  ::kill(program, SIGINT);
  WaitForFile(directory() / "heard");
  ::kill(program, SIGINT);
  EXPECT_EQ(Wait(program).exit_code, 130);
  EXPECT_TRUE(Descendants().empty());
}

TEST_F(Interrupt, ARunThatWasInterruptedCanBeResumed) {
  MakeScript("work", "[ -e go ] || { echo > ready; sleep 1000; }\necho worked\n");
  const pid_t program = Start(Direct({"./work"}));
  WaitForFile(directory() / "ready");
  ::kill(program, SIGINT);
  EXPECT_EQ(Wait(program).exit_code, 130);
  WriteFile(directory() / "go", "");
  const ProgramEnd end = Ridgeline({"run", "--resume", OnlyRun().string()});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ManifestOf(OnlyRun()).state, State::kDone);
  EXPECT_EQ(ReadFile(OnlyRun() / "direct_inference/workload.log"), "worked\n");
}

}  // namespace
}  // namespace ridgeline::run
