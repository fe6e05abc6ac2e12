#include "os/keeper.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace ridgeline::os {
namespace {

constexpr int64_t kNever = INT64_MAX;
// Processes that exit on their own shortly after the program do not count as leftovers.
constexpr int64_t kSettleMs = 200;
// From SIGTERM to SIGKILL for leftover processes, and for all processes when our parent
// is gone.
constexpr int64_t kLeftoverGraceMs = 1000;
// Interval between scans for processes that do not exit.
constexpr int64_t kLookMs = 20;
// A process that survives SIGKILL is stuck in the kernel.
constexpr int64_t kGiveUpMs = 10'000;

int64_t NowNs() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}
int64_t NowMs() { return NowNs() / 1'000'000; }

int64_t Microseconds(const timeval& time) {
  return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
}

void Send(int fd, const KeeperReport& report) {
  // Smaller than PIPE_BUF, hence atomic. Errors are ignored: the reader is gone.
  [[maybe_unused]] const ssize_t written = ::write(fd, &report, sizeof report);
}

void SendNotStarted(const KeeperJob& job, KeeperReport::Step step) {
  Send(job.report_fd,
       {.kind = KeeperReport::Kind::kNotStarted, .step = step, .error_number = errno});
}

void SetAllSignals(void (*disposition)(int)) {
  struct sigaction action = {};
  action.sa_handler = disposition;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &action, nullptr);
}

// Closes everything but the two pipes to the parent: a reader of the parent's output must
// not wait for us.
void LetGoOfFiles(int control_fd, int report_fd) {
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(nothing, fd);
  const int low = control_fd < report_fd ? control_fd : report_fd;
  const int high = control_fd < report_fd ? report_fd : control_fd;
  const auto close_between = [](int first, int last) {
    if (first <= last) {
      ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
    }
  };
  close_between(3, low - 1);
  close_between(low + 1, high - 1);
  ::close_range(static_cast<unsigned>(high) + 1, ~0U, 0);
}

[[noreturn]] void Become(const KeeperJob& job, pid_t keeper) {
  const auto fail = [&job](KeeperReport::Step step) {
    SendNotStarted(job, step);
    constexpr int kNotStartedStatus = 127;
    ::_exit(kNotStartedStatus);
  };
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // In case the keeper is killed.
  if (::getppid() != keeper) ::_exit(1);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  // Move them up first: one of them may itself be 1 or 2.
  const int output = ::fcntl(job.output_fd, F_DUPFD_CLOEXEC, 3);
  const int error = ::fcntl(job.error_fd, F_DUPFD_CLOEXEC, 3);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(error, STDERR_FILENO);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (job.inherited_fd >= 3) ::fcntl(job.inherited_fd, F_SETFD, 0);
  if (job.directory != nullptr && ::chdir(job.directory) != 0) {
    fail(KeeperReport::Step::kDirectory);
  }
  SetAllSignals(SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(job.program, job.argv, job.environment);
  fail(KeeperReport::Step::kExecute);
  ::_exit(1);
}

// Signals all descendants of this process; returns their number.
int SignalAll(int number) {
  constexpr size_t kMost = 4096;
  static pid_t pids[kMost];
  const size_t count = ListDescendants(::getpid(), pids, kMost);
  for (size_t i = 0; i < count; ++i) ::kill(pids[i], number);
  return static_cast<int>(count);
}

class Keeper {
 public:
  Keeper(const KeeperJob& job, pid_t program, int child_fd, int64_t started_ns)
      : job_(job), program_(program), child_fd_(child_fd), started_ns_(started_ns) {}

  [[noreturn]] void Run() {
    while (true) {
      pollfd fds[] = {{control_open_ ? job_.control_fd : -1, POLLIN, 0},
                      {child_fd_, POLLIN, 0}};
      ::poll(fds, 2, Patience());
      if (fds[0].revents != 0) TakeOrder();
      if (fds[1].revents != 0) {
        signalfd_siginfo ignored = {};
        [[maybe_unused]] const ssize_t size = ::read(child_fd_, &ignored, sizeof ignored);
      }
      if (Reap() || NowMs() >= give_up_ms_) Finish();
      ActOnTime();
    }
  }

 private:
  int Patience() const {
    const int64_t next = settle_ms_ < kill_ms_ ? settle_ms_ : kill_ms_;
    if (next == kNever) return -1;
    const int64_t wait = next - NowMs();
    return wait < kLookMs ? kLookMs : static_cast<int>(wait);
  }

  void TakeOrder() {
    char order = 0;
    const ssize_t size = ::read(job_.control_fd, &order, 1);
    if (size < 0) return;
    if (size == 0) {  // Our parent is gone.
      control_open_ = false;
      SignalAll(SIGTERM);
      KillFrom(NowMs() + kLeftoverGraceMs);
    } else if (order == kKillAll) {
      KillFrom(NowMs());
    } else if (!ended_) {
      ::kill(-program_, order);
    }
  }

  // Reaps exited children; true if none are left.
  bool Reap() {
    while (true) {
      int status = 0;
      rusage usage = {};
      const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
      if (pid == 0) return false;
      if (pid < 0) return errno == ECHILD;
      report_.user_us += Microseconds(usage.ru_utime);
      report_.system_us += Microseconds(usage.ru_stime);
      if (usage.ru_maxrss > report_.peak_rss_kib) report_.peak_rss_kib = usage.ru_maxrss;
      if (pid == program_) ProgramEnded(status);
    }
  }

  void ProgramEnded(int status) {
    ended_ = true;
    report_.wait_status = status;
    report_.wall_ns = NowNs() - started_ns_;
    settle_ms_ = NowMs() + kSettleMs;
    report_.kind = KeeperReport::Kind::kEnded;
    Send(job_.report_fd, report_);
  }

  void ActOnTime() {
    const int64_t now = NowMs();
    if (now >= settle_ms_) {
      settle_ms_ = kNever;
      report_.leftovers = SignalAll(SIGTERM);
      KillFrom(now + kLeftoverGraceMs);
    }
    if (now >= kill_ms_) SignalAll(SIGKILL);
  }

  void KillFrom(int64_t when_ms) {
    if (when_ms < kill_ms_) kill_ms_ = when_ms;
    if (give_up_ms_ == kNever) give_up_ms_ = kill_ms_ + kGiveUpMs;
  }

  [[noreturn]] void Finish() {
    report_.kind = KeeperReport::Kind::kGone;
    Send(job_.report_fd, report_);
    ::_exit(0);
  }

  const KeeperJob& job_;
  const pid_t program_;
  const int child_fd_;
  const int64_t started_ns_;
  bool control_open_ = true;
  bool ended_ = false;
  int64_t settle_ms_ = kNever;
  int64_t kill_ms_ = kNever;
  int64_t give_up_ms_ = kNever;
  KeeperReport report_;
};

[[noreturn]] void RunKeeper(const KeeperJob& job) {
  ::setsid();
  ::prctl(PR_SET_NAME, "ridgeline-keep");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper = ::getpid();
  const int64_t started_ns = NowNs();
  const pid_t program = ::fork();
  if (program == 0) Become(job, keeper);
  if (program < 0) {
    SendNotStarted(job, KeeperReport::Step::kFork);
    ::_exit(1);
  }
  ::setpgid(program, program);  // Also here: a command may precede the child.
  LetGoOfFiles(job.control_fd, job.report_fd);
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);  // All signals are blocked already.
  const int child_fd = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  Keeper(job, program, child_fd, started_ns).Run();
}

// Terminates the processes left by a killed keeper, which are reparented to us.
void EndOrphans() {
  const int64_t give_up_ms = NowMs() + kGiveUpMs;
  while (NowMs() < give_up_ms) {
    SignalAll(SIGKILL);
    ::poll(nullptr, 0, kLookMs);
    pid_t reaped = 0;
    do {
      reaped = ::waitpid(-1, nullptr, WNOHANG);
    } while (reaped > 0);
    if (reaped < 0) return;  // No children left.
  }
}

}  // namespace

void Keep(const KeeperJob& job) {
  ::setsid();  // Terminal signals go only to the parent's process group.
  SetAllSignals(SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;  // Ignoring SIGCHLD would auto-reap children.
  ::sigaction(SIGCHLD, &action, nullptr);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "ridgeline-ward");
  const pid_t keeper = ::fork();
  if (keeper == 0) RunKeeper(job);
  if (keeper < 0) {
    SendNotStarted(job, KeeperReport::Step::kFork);
    ::_exit(1);
  }
  // Also its pipes: those ends belong to the keeper.
  ::close_range(0, ~0U, 0);
  int status = 0;
  while (::waitpid(keeper, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  EndOrphans();
  ::_exit(1);
}

}  // namespace ridgeline::os
