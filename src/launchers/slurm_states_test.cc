#include "launchers/slurm_states.h"

#include <gmock/gmock.h>

namespace ridgeline::launchers {
namespace {

using artifacts::AttemptId;
using artifacts::State;
using artifacts::SweepJob;
using testing::HasSubstr;

TEST(SlurmStatesTest, ReadsTheQueue) {
  const std::vector<SlurmTask> tasks = ParseQueue(
      "1|3|FAILED|2|9|n1|JobLaunchFailure|/s/job.sh 0 0|\n"
      "slurm_load_jobs error: something\n"
      "1|0|FAILED|0|768|n1|NonZeroExitCode|/s/a|b.sh 0 0   |\n"
      "2|1|PENDING|0|0||Priority|/s/job.sh|\n"
      "2|N/A|PENDING|0|0||Priority|/s/job.sh|\n");
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0], (SlurmTask{"1", 3, "FAILED", 2, 0, 9, "n1", "JobLaunchFailure",
                                 "/s/job.sh 0 0"}));
  EXPECT_EQ(tasks[1].exit_code, 3);
  EXPECT_EQ(tasks[1].command, "/s/a|b.sh 0 0");
  EXPECT_EQ(tasks[2].id(), "2_1");
}

TEST(SlurmStatesTest, ReadsAccounting) {
  const std::vector<SlurmTask> tasks = ParseAccounting(
      "12_4|CANCELLED by 0|0:15|n1\n"
      "12_[5,7-8,10-14:4%2]|CANCELLED by 0|0:0|None assigned\n"
      "12_4.batch|CANCELLED|0:15|n1\n"
      "12_[1-x]|FAILED|1:0|n1\n"
      "12_[0-99999999999]|FAILED|1:0|n1\n"
      "7|COMPLETED|0:0|n1\n");
  ASSERT_EQ(tasks.size(), 6u);
  EXPECT_EQ(tasks[0], (SlurmTask{"12", 4, "CANCELLED", 0, 0, 15, "n1", "", ""}));
  for (size_t i = 0; i < 5; ++i) {
    constexpr int kIndices[] = {5, 7, 8, 10, 14};
    EXPECT_EQ(tasks[i + 1],
              (SlurmTask{"12", kIndices[i], "CANCELLED", 0, 0, 0, "", "", ""}));
  }
}

TEST(SlurmStatesTest, EveryEndHasAnOutcome) {
  struct Case {
    const char* slurm;
    bool started;
    State state;
    const char* outcome;
    const char* reason;
  };
  const Case cases[] = {
      {"TIMEOUT", true, State::kFailed, "Timeout", "timeout_min"},
      {"DEADLINE", true, State::kFailed, "Timeout", "deadline"},
      {"NODE_FAIL", true, State::kFailed, "NodeFailure", "the node failed: n1"},
      {"BOOT_FAIL", false, State::kFailed, "NodeFailure", "did not boot: n1"},
      {"OUT_OF_MEMORY", true, State::kFailed, "OutOfMemory", "mem_gb"},
      {"CANCELLED", true, State::kInterrupted, "Cancelled", ""},
      {"CANCELLED", false, State::kInterrupted, "Cancelled", "before it started"},
      {"PREEMPTED", true, State::kInterrupted, "Preempted", "preempted"},
      {"REVOKED", false, State::kInterrupted, "Cancelled", "federation"},
      {"FAILED", true, State::kFailed, "StatusLost", "exit code 0, and the end was not"},
      {"COMPLETED", true, State::kFailed, "StatusLost", "full disk"},
      {"FAILED", false, State::kFailed, "NeverStarted", "left no status on n1"},
      {"COMPLETED", false, State::kFailed, "NeverStarted", "left no status on n1"},
      {"LAUNCH_FAILED", false, State::kFailed, "NeverStarted", "could not start"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.slurm) + (c.started ? "" : ", not started"));
    SlurmTask task = {.array_id = "1", .index = 0, .state = c.slurm, .nodes = "n1"};
    EXPECT_EQ(PhaseOf(c.slurm), SlurmPhase::kEnded);
    const SlurmEnd end = EndOf(task, c.started);
    EXPECT_EQ(end.state, c.state);
    EXPECT_EQ(end.outcome, c.outcome);
    EXPECT_THAT(end.reason, HasSubstr(c.reason));
    EXPECT_THAT(Outcomes(), testing::Contains(end.outcome));
  }
}

TEST(SlurmStatesTest, AStateThatIsNotKnownIsNotAnEnd) {
  EXPECT_EQ(PhaseOf("NEW_STATE"), SlurmPhase::kRunning);
}

TEST(SlurmStatesTest, AJobThatWasKilledHasItsSignal) {
  SlurmTask task = {.array_id = "1", .state = "FAILED", .signal = 9};
  EXPECT_EQ(EndOf(task, true).outcome, "Killed");
  EXPECT_THAT(EndOf(task, true).reason, HasSubstr("(signal 9)"));
  task.signal = 0;
  task.exit_code = 137;
  EXPECT_THAT(EndOf(task, true).reason, HasSubstr("(signal 9)"));
}

TEST(SlurmStatesTest, NamesWhatTheNodeCannotSee) {
  SlurmTask task = {.array_id = "1", .state = "FAILED", .exit_code = 66, .nodes = "n2"};
  EXPECT_THAT(EndOf(task, false).reason, HasSubstr("on n2: put it on a file system"));
  task.exit_code = 69;
  EXPECT_THAT(EndOf(task, false).reason, HasSubstr("ridgeline cannot be executed on n2"));
}

// A job's state from its files, Slurm's state, and the result.
TEST(SlurmStatesTest, JoinsWhatTheJobAndSlurmSay) {
  struct Case {
    const char* what;
    State state;                       // From its files.
    const char* outcome;               // From its files.
    std::optional<AttemptId> attempt;  // The last one started.
    const char* slurm;
    int restart;
    State want;
    const char* want_outcome;
    bool kept;
    bool is_silent = false;  // The attempt recorded no end; the run has the state.
  };
  const AttemptId first = {0, 0};
  const Case cases[] = {
      {"waits", State::kPending, "", std::nullopt, "PENDING", 0, State::kPending, "",
       false},
      {"begins", State::kPending, "", std::nullopt, "RUNNING", 0, State::kRunning, "",
       false},
      {"runs", State::kRunning, "", first, "RUNNING", 0, State::kRunning, "", false},
      {"began after Slurm was asked", State::kRunning, "", first, "PENDING", 0,
       State::kRunning, "", false},
      {"done", State::kDone, "", first, "COMPLETED", 0, State::kDone, "", false},
      {"done, and requeued by hand", State::kDone, "", first, "PENDING", 1, State::kDone,
       "", false},
      {"failed itself", State::kFailed, "", first, "FAILED", 0, State::kFailed, "",
       false},
      {"failed, not over for Slurm", State::kFailed, "", first, "COMPLETING", 0,
       State::kFailed, "", false},
      {"a signal was a cancel", State::kInterrupted, "", first, "CANCELLED", 0,
       State::kInterrupted, "Cancelled", true},
      {"a failure was a lack of memory", State::kFailed, "", first, "OUT_OF_MEMORY", 0,
       State::kFailed, "OutOfMemory", true},
      {"its own outcome stays", State::kFailed, "Timeout", first, "FAILED", 0,
       State::kFailed, "Timeout", false},
      {"node failed", State::kRunning, "", first, "NODE_FAIL", 0, State::kFailed,
       "NodeFailure", true},
      {"node failed, requeued", State::kRunning, "", first, "PENDING", 1, State::kPending,
       "", false},
      {"killed, as its run says", State::kInterrupted, "", first, "FAILED", 0,
       State::kFailed, "Killed", true, true},
      {"never began", State::kPending, "", std::nullopt, "FAILED", 0, State::kFailed,
       "NeverStarted", true},
      {"requeued after a timeout", State::kPending, "Timeout", first, "PENDING", 1,
       State::kPending, "Timeout", false},
      {"requeue not granted", State::kPending, "Timeout", first, "COMPLETED", 0,
       State::kFailed, "Timeout", true},
      {"cancelled while requeued", State::kPending, "Timeout", first, "CANCELLED", 1,
       State::kInterrupted, "Cancelled", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    SweepJob job;
    job.state = c.state;
    job.outcome = c.outcome;
    job.attempt = c.attempt;
    job.attempts = c.attempt ? 1 : 0;
    job.has_end = c.attempt && c.state != State::kRunning && !c.is_silent;
    job.slurm_id = c.attempt ? "1_0" : "";
    const SlurmTask task = {.array_id = "1",
                            .index = 0,
                            .state = c.slurm,
                            .restart = c.restart,
                            .signal = 9,
                            .nodes = "n1"};
    const auto kept = ApplySlurm(task, 0, job);
    EXPECT_EQ(ToText(job.state), ToText(c.want));
    EXPECT_EQ(job.outcome, c.want_outcome);
    EXPECT_EQ(kept.has_value(), c.kept);
    if (kept) {
      EXPECT_EQ(kept->id, (AttemptId{0, c.restart}));
      EXPECT_EQ(kept->outcome, c.want_outcome);
    }
  }
}

TEST(SlurmStatesTest, AForgottenJobIsNotRunning) {
  SweepJob job;
  EXPECT_TRUE(ApplyForgotten("1_0", 0, job).has_value());
  EXPECT_EQ(job.outcome, "NeverStarted");
  job = SweepJob();
  job.state = State::kRunning;
  job.attempt = AttemptId{0, 1};
  job.attempts = 2;
  EXPECT_EQ(ApplyForgotten("1_0", 0, job)->id, (AttemptId{0, 1}));
  EXPECT_EQ(job.outcome, "Unknown");
  job = SweepJob();
  job.state = State::kDone;
  EXPECT_FALSE(ApplyForgotten("1_0", 0, job).has_value());
}

}  // namespace
}  // namespace ridgeline::launchers
