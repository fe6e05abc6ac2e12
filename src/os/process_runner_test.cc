#include "os/process_runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "os/files.h"
#include "os/signal_watch.h"
#include "os/testing/eventually.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

class ProcessRunnerTest : public testing::Test {
 protected:
  ProcessRunnerTest() { fs::create_directories(directory_); }
  ~ProcessRunnerTest() override { fs::remove_all(directory_); }

  static Command Shell(const std::string& script) {
    return {.argv = {"/bin/sh", "-c", script}, .environment = {}, .directory = {}};
  }
  ProcessResult Run(const Command& command, const ProcessOptions& options = {}) {
    Result<ProcessResult> result = runner_.Run(command, options);
    EXPECT_TRUE(result.ok()) << result.error().message();
    return result.ok() ? std::move(result).value() : ProcessResult{};
  }
  // The PID a script wrote to `name`; 0 until then.
  pid_t PidIn(const char* name) const {
    const Result<std::string> text = ReadFile(directory_ / name);
    return text.ok() && text.value().ends_with('\n') ? std::stoi(text.value()) : 0;
  }

  const fs::path directory_ =
      fs::path(testing::TempDir()) / ("process_runner_" + std::to_string(::getpid()));
  SystemProcessRunner runner_;
};

bool IsAlive(pid_t pid) { return pid > 0 && (::kill(pid, 0) == 0 || errno != ESRCH); }

TEST_F(ProcessRunnerTest, TellsHowAProgramEnded) {
  struct Case {
    const char* what;
    const char* script;
    int exit_code;
    std::optional<int> signal;
    const char* description;
  };
  const Case cases[] = {
      {"fine", "exit 0", 0, std::nullopt, "exit code 0"},
      {"a code", "exit 7", 7, std::nullopt, "exit code 7"},
      {"a signal", "kill -SEGV $$", 139, SIGSEGV,
       "killed by signal 11 (Segmentation fault)"},
      {"killed", "kill -KILL $$", 137, SIGKILL, "killed by signal 9 (Killed)"},
      {"ends itself with SIGTERM", "kill -TERM $$", 143, SIGTERM,
       "killed by signal 15 (Terminated)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProcessResult result = Run(Shell(c.script));
    EXPECT_EQ(result.exit_code, c.exit_code);
    EXPECT_EQ(result.signal, c.signal);
    EXPECT_EQ(Describe(result), c.description);
    EXPECT_FALSE(result.timed_out);
    EXPECT_EQ(result.leftover_processes, 0);
  }
}

TEST_F(ProcessRunnerTest, KeepsBothOutputsInOrder) {
  const fs::path log = directory_ / "log";
  std::string seen;
  const ProcessResult result =
      Run(Shell("echo one; echo two >&2; echo three"),
          {.log_file = log,
           .output_file = {},
           .on_output = [&seen](std::string_view bytes) { seen += bytes; },
           .on_tick = {},
           .timeout_s = {}});
  EXPECT_EQ(ReadFile(log).value(), "one\ntwo\nthree\n");
  EXPECT_EQ(seen, "one\ntwo\nthree\n");
  EXPECT_EQ(result.output, "one\ntwo\nthree\n");
  EXPECT_EQ(result.output_bytes, 14);
}

TEST_F(ProcessRunnerTest, PutsStandardOutputAloneIntoAFile) {
  ProcessOptions options;
  options.log_file = directory_ / "log";
  options.output_file = directory_ / "out";
  Run(Shell("echo data; echo talk >&2"), options);
  EXPECT_EQ(ReadFile(directory_ / "out").value(), "data\n");
  EXPECT_EQ(ReadFile(directory_ / "log").value(), "talk\n");
}

TEST_F(ProcessRunnerTest, HandsBackTheEndOfMuchOutput) {
  ProcessOptions options;
  options.keep_output_bytes = 6;
  const ProcessResult result = Run(Shell("yes | head -c 300000; echo end"), options);
  EXPECT_EQ(result.output_bytes, 300004);
  EXPECT_EQ(result.output, "y\nend\n");
}

TEST_F(ProcessRunnerTest, GivesVariablesDirectoryAndNoInput) {
  Command command = Shell("echo $A; pwd; cat; echo $(ps -o sid= -p $$ | wc -w)");
  command.environment = {{"A", "b c"}};
  command.directory = directory_;
  EXPECT_EQ(Run(command).output,
            "b c\n" + RealPath(directory_).value().string() + "\n1\n");
}

TEST_F(ProcessRunnerTest, GivesNoFilesAndNoSignalSettingsOfOurs) {
  const int extra = ::dup(STDERR_FILENO);  // Not CLOEXEC.
  const auto before = ::signal(SIGUSR1, SIG_IGN);
  const ProcessResult result =
      Run(Shell("ls /proc/self/fd | tr '\\n' ' '; sed -n 's/SigIgn:\\s*//p' "
                "/proc/self/status"));
  ::signal(SIGUSR1, before);
  ::close(extra);
  // 3 is the directory opened by ls itself.
  const std::string files = "0 1 2 3 ";
  ASSERT_TRUE(result.output.starts_with(files)) << result.output;
  // Signals 32 and 33 are libc's own: our parent may have ignored them.
  constexpr uint64_t kOurs = 0x7fffffff;
  EXPECT_EQ(std::stoull(result.output.substr(files.size()), nullptr, 16) & kOurs, 0u)
      << result.output;
}

TEST_F(ProcessRunnerTest, MeasuresTimeAndMemory) {
  const ProcessResult result =
      Run(Shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"));
  EXPECT_GT(result.wall_s, 0);
  EXPECT_GT(result.user_s + result.system_s, 0);
  EXPECT_GT(result.peak_rss_bytes, 100'000);
  EXPECT_LT(result.peak_rss_bytes, 100'000'000);
}

TEST_F(ProcessRunnerTest, StopsAProgramWhoseTimeIsOver) {
  struct Case {
    const char* what;
    const char* script;
    int exit_code;
  };
  const Case cases[] = {
      {"it obeys", "echo ready; exec sleep 1000", 143},
      {"it cleans up", "trap 'exit 9' TERM; sleep 1000 & wait", 9},
      {"it does not listen", "trap '' TERM; sleep 1000; sleep 1000", 137},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    ProcessOptions options;
    options.timeout_s = 0.3;
    options.grace_s = 0.3;
    const ProcessResult result = Run(Shell(c.script), options);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.exit_code, c.exit_code);
    EXPECT_FALSE(result.ok());
  }
}

TEST_F(ProcessRunnerTest, EndsWhatAProgramLeavesBehind) {
  struct Case {
    const char* what;
    const char* script;
  };
  const Case cases[] = {
      {"in the background", "sleep 1000 & echo $! > pid"},
      {"in a session of its own",
       "setsid sh -c 'echo $$ > pid; exec sleep 1000' & "
       "while ! [ -s pid ]; do sleep 0.01; done"},
      {"deaf to SIGTERM",
       "setsid sh -c 'trap \"\" TERM HUP; echo $$ > pid; while :; do sleep 1; done' & "
       "while ! [ -s pid ]; do sleep 0.01; done"},
      {"a grandchild whose parent is gone",
       "(setsid sh -c 'sleep 1000 & echo $! > pid' &) ; "
       "while ! [ -s pid ]; do sleep 0.01; done"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    fs::remove(directory_ / "pid");
    Command command = Shell(c.script);
    command.directory = directory_;
    const ProcessResult result = Run(command);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_GE(result.leftover_processes, 1);
    EXPECT_FALSE(IsAlive(PidIn("pid")));
  }
}

TEST_F(ProcessRunnerTest, LeavesNothingBehindWhenWeAreKilled) {
  const pid_t us = ::fork();
  if (us == 0) {
    Command command = Shell(
        "setsid sh -c 'trap \"\" TERM; echo $$ > detached; while :; do sleep 1; done' & "
        "echo $$ > program; while :; do sleep 1; done");
    command.directory = directory_;
    const auto ignored = SystemProcessRunner().Run(command, {});
    ::_exit(ignored.ok() ? 0 : 1);
  }
  ASSERT_TRUE(
      Eventually([&] { return PidIn("detached") != 0 && PidIn("program") != 0; }));
  const pid_t program = PidIn("program");
  const pid_t detached = PidIn("detached");
  EXPECT_TRUE(IsAlive(program));
  ::kill(us, SIGKILL);
  int status = 0;
  ::waitpid(us, &status, 0);
  EXPECT_TRUE(Eventually([&] { return !IsAlive(program) && !IsAlive(detached); }));
}

// Including processes in a separate session, and their children.
TEST_F(ProcessRunnerTest, LeavesNothingBehindWhenTheKeeperIsKilled) {
  const std::string script =
      "cd " + directory_.string() +
      "; setsid sh -c 'trap \"\" TERM HUP; sleep 1000 & echo $! > inner; echo $$ > "
      "outer; "
      "wait' & while ! [ -s outer ]; do sleep 0.01; done; kill -9 $PPID; sleep 1000";
  const Result<ProcessResult> result = runner_.Run(Shell(script), {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message(), "/bin/sh: its keeper was killed");
  EXPECT_FALSE(IsAlive(PidIn("inner")));
  EXPECT_FALSE(IsAlive(PidIn("outer")));
}

TEST_F(ProcessRunnerTest, PassesAnInterruptOn) {
  const SignalWatch watch;
  SystemProcessRunner runner(&watch);
  ProcessOptions options;
  options.on_output = [](std::string_view bytes) {
    if (bytes.starts_with("ready")) ::raise(SIGINT);  // Once: twice would kill.
  };
  const Result<ProcessResult> result = runner.Run(
      Shell("trap 'echo caught; exit 3' INT; echo ready; sleep 1000 & wait"), options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().interrupted_by, SIGINT);
  EXPECT_EQ(result.value().exit_code, 3);
  EXPECT_EQ(Describe(result.value()), "interrupted (SIGINT)");
}

TEST_F(ProcessRunnerTest, EndsAProgramWhenItIsAskedTo) {
  ProcessOptions options;
  options.stop = [this] { return Exists(directory_ / "ready"); };
  const ProcessResult result = Run(
      Shell("touch " + (directory_ / "ready").string() + "; exec sleep 600"), options);
  EXPECT_EQ(result.interrupted_by, SIGTERM);
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_FALSE(result.ok());
}

TEST_F(ProcessRunnerTest, HandsOnOneDescriptorIfItIsAskedTo) {
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const std::string number = std::to_string(ends[1]);
  ProcessOptions options;
  EXPECT_NE(Run(Shell("echo hi >&" + number + " 2>/dev/null"), options).exit_code, 0);
  options.inherited_fd = ends[1];
  EXPECT_EQ(Run(Shell("echo hi >&" + number), options).exit_code, 0);
  char text[4] = {};
  EXPECT_EQ(::read(ends[0], text, sizeof text), 3);
  EXPECT_STREQ(text, "hi\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(ProcessRunnerTest, EndsAProgramWhenATimeLimitIsAnnounced) {
  const SignalWatch watch(SignalWatch::Signals::kWithTimeLimit);
  SystemProcessRunner runner(&watch);
  ProcessOptions options;
  options.on_output = [](std::string_view bytes) {
    if (bytes.starts_with("ready")) ::raise(SIGUSR2);
  };
  const Result<ProcessResult> result = runner.Run(
      Shell("trap 'echo caught; exit 3' TERM; echo ready; sleep 1000 & wait"), options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().interrupted_by, SIGUSR2);
  EXPECT_EQ(result.value().exit_code, 3);
}

// Slurm signals every process of a job: the program may exit before we get the signal.
TEST_F(ProcessRunnerTest, ASignalToAllProcessesIsAnInterrupt) {
  const SignalWatch watch;
  SystemProcessRunner runner(&watch);
  const std::string us = std::to_string(::getpid());
  const Result<ProcessResult> late =
      runner.Run(Shell("kill -TERM " + us + "; trap '' TERM; exit 143"), {});
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(late.value().interrupted_by, SIGTERM);
  const Result<ProcessResult> own = SystemProcessRunner().Run(Shell("kill -TERM $$"), {});
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own.value().interrupted_by, std::nullopt);
}

TEST_F(ProcessRunnerTest, SaysWhyAProgramDoesNotStart) {
  ASSERT_TRUE(WriteFileAtomically(directory_ / "no_interpreter", "echo hi\n").ok());
  ASSERT_TRUE(WriteFileAtomically(directory_ / "bad_interpreter", "#!/no/such\n").ok());
  for (const char* name : {"no_interpreter", "bad_interpreter"}) {
    ::chmod((directory_ / name).c_str(), 0755);
  }
  struct Case {
    const char* what;
    Command command;
    ErrorCode code;
    const char* message;
  };
  const Case cases[] = {
      {"not there",
       {{"no-such-program"}, {}, {}},
       ErrorCode::kNotFound,
       "no program 'no-such-program' found in PATH"},
      {"no #!",
       {{"./no_interpreter"}, {}, directory_},
       ErrorCode::kCannotStart,
       "./no_interpreter: Exec format error; a script needs a #! line with its "
       "interpreter"},
      {"#! of nothing",
       {{"./bad_interpreter"}, {}, directory_},
       ErrorCode::kCannotStart,
       "./bad_interpreter: No such file or directory"},
      {"no directory",
       {{"/bin/sh"}, {}, "/no/such"},
       ErrorCode::kCannotStart,
       "/no/such: No such file or directory"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<ProcessResult> result = runner_.Run(c.command, {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), c.code);
    EXPECT_EQ(result.error().message(), c.message);
  }
}

TEST_F(ProcessRunnerTest, EndsAProgramWhoseOutputCannotBeKept) {
  ProcessOptions options;
  options.log_file = "/dev/full";
  const Result<ProcessResult> result = runner_.Run(Shell("echo a; sleep 1000"), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kIo);
  EXPECT_EQ(result.error().message(), "/dev/full: No space left on device");
}

TEST_F(ProcessRunnerTest, RunsManyAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> codes(8, -1);
  for (size_t i = 0; i < codes.size(); ++i) {
    threads.emplace_back([this, i, &codes] {
      codes[i] = Run(Shell("exit " + std::to_string(i))).exit_code;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(codes, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace ridgeline::os
