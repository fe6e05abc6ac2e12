#include "os/process_runner.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <vector>

#include "os/env.h"
#include "os/file_descriptor.h"
#include "os/keeper.h"
#include "os/signal_watch.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kTick = std::chrono::milliseconds(100);

Error IoError(const std::string& what, int error_number) {
  return {ErrorCode::kIo, what + ": " + std::strerror(error_number)};
}

// A command in the form execve expects. Must not be moved while in use.
class Image {
 public:
  Image(const Command& command, fs::path program)
      : program_(program.string()), directory_(command.directory.string()) {
    for (const std::string& word : command.argv) words_.push_back(word);
    std::map<std::string, std::string> variables = Environment();
    for (const auto& [name, value] : command.environment) variables[name] = value;
    for (const auto& [name, value] : variables) {
      variables_.push_back(name + "=" + value);
    }
    for (std::string& word : words_) argv_.push_back(word.data());
    for (std::string& variable : variables_) environment_.push_back(variable.data());
    argv_.push_back(nullptr);
    environment_.push_back(nullptr);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  KeeperJob Job() const {
    return {.program = program_.c_str(),
            .argv = argv_.data(),
            .environment = environment_.data(),
            .directory = directory_.empty() ? nullptr : directory_.c_str()};
  }

 private:
  std::string program_;
  std::string directory_;
  std::vector<std::string> words_;
  std::vector<std::string> variables_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
};

struct Channels {
  Lifeline control;  // From us to the keeper.
  Pipe report;       // From the keeper to us.
  Pipe output;       // From the program to us.

  bool Open() { return control.Open() && report.Open() && output.Open(); }
  // After the fork: closes the other side's ends, so that we get EOF.
  void KeepOurs() {
    control.listener.Close();
    report.write_end.Close();
    output.write_end.Close();
  }
};

// `mode` is O_TRUNC or O_APPEND.
Result<FileDescriptor> CreateFile(const fs::path& path, int mode) {
  if (path.empty()) return FileDescriptor();
  FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, kBeforeUmask));
  if (!file.ok()) return IoError(path.string(), errno);
  return file;
}

// Starts the warden, which starts the keeper, which starts the program. No signal may run
// our handlers in the new process before it has reset them.
Result<pid_t> StartKeeper(const KeeperJob& job) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t warden = ::fork();
  if (warden == 0) Keep(job);
  const int error_number = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (warden < 0) return IoError("starting a process", error_number);
  return warden;
}

// Supervises one program from its start until all its leftover processes are gone.
class Supervisor {
 public:
  Supervisor(const Command& command, const ProcessOptions& options,
             const SignalWatch* signals, Channels channels, FileDescriptor log)
      : command_(command),
        options_(options),
        signals_(signals),
        channels_(std::move(channels)),
        log_(std::move(log)),
        started_(Clock::now()),
        next_tick_(started_ + kTick) {
    if (options.timeout_s) stop_at_ = started_ + Seconds(*options.timeout_s);
  }

  Result<ProcessResult> Follow() {
    while (!gone_) {
      Wait();
      TakeReports();
      TakeOutput();
      MindSignals();
      MindStop();
      MindTime();
    }
    TakeOutput();  // Output written since the last read.
    MindLateSignal();
    if (log_error_ != 0) return IoError(options_.log_file.string(), log_error_);
    if (not_started_) return NotStarted();
    if (keeper_lost_) {
      return Error(ErrorCode::kTool, command_.argv[0] + ": its keeper was killed");
    }
    result_.output.erase(0, result_.output.size() - std::min(result_.output.size(),
                                                             options_.keep_output_bytes));
    return std::move(result_);
  }

 private:
  static Clock::duration Seconds(double seconds) {
    // A year is practically infinite and does not overflow.
    constexpr double kYear = 366.0 * 24 * 3600;
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(seconds, kYear)));
  }

  void Wait() const {
    const bool watch_signals = signals_ != nullptr && signals_->count() == 0;
    std::array<pollfd, 3> fds = {
        {{channels_.report.read_end.get(), POLLIN, 0},
         {output_open_ ? channels_.output.read_end.get() : -1, POLLIN, 0},
         {watch_signals ? signals_->wake_fd() : -1, POLLIN, 0}}};
    ::poll(fds.data(), fds.size(), static_cast<int>(kTick.count()));
  }

  void TakeReports() {
    while (true) {
      KeeperReport report;
      const ssize_t size =
          ::read(channels_.report.read_end.get(), &report, sizeof report);
      if (size == 0 && !gone_) gone_ = keeper_lost_ = true;
      if (size != sizeof report) return;
      TakeReport(report);
    }
  }

  void TakeReport(const KeeperReport& report) {
    if (report.kind == KeeperReport::Kind::kNotStarted) {
      not_started_ = report;
      return;
    }
    gone_ = report.kind == KeeperReport::Kind::kGone;
    ended_ = true;
    const int status = report.wait_status;
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    result_.exit_code = result_.signal ? 128 + *result_.signal : WEXITSTATUS(status);
    result_.leftover_processes = report.leftovers;
    result_.wall_s = static_cast<double>(report.wall_ns) / 1e9;
    result_.user_s = static_cast<double>(report.user_us) / 1e6;
    result_.system_s = static_cast<double>(report.system_us) / 1e6;
    result_.peak_rss_bytes = report.peak_rss_kib * 1024;
  }

  // One piece at a time, so that a program that never stops writing cannot keep us from
  // noticing its timeout.
  void TakeOutput() {
    std::array<char, size_t{64} << 10> buffer;
    for (int piece = 0; output_open_ && (piece < 16 || gone_); ++piece) {
      const ssize_t size =
          ::read(channels_.output.read_end.get(), buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return;  // Nothing more for now.
      if (size == 0) output_open_ = false;
      Keep({buffer.data(), static_cast<size_t>(size)});
    }
  }

  void Keep(std::string_view bytes) {
    result_.output_bytes += static_cast<int64_t>(bytes.size());
    result_.output += bytes;
    if (result_.output.size() > 2 * options_.keep_output_bytes) {
      result_.output.erase(0, result_.output.size() - options_.keep_output_bytes);
    }
    if (options_.on_output && !bytes.empty()) options_.on_output(bytes);
    while (log_.ok() && log_error_ == 0 && !bytes.empty()) {
      const ssize_t size = ::write(log_.get(), bytes.data(), bytes.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) {
        log_error_ = errno;
        Order(kKillAll);
        return;
      }
      bytes.remove_prefix(static_cast<size_t>(size));
    }
  }

  void MindSignals() {
    const int count = signals_ == nullptr || ended_ ? 0 : signals_->count();
    if (count > 0 && !result_.interrupted_by) {
      result_.interrupted_by = signals_->first();
      const bool is_asked_politely =
          *result_.interrupted_by == SIGUSR2 || options_.terminate_on_interrupt;
      AskToEnd(is_asked_politely ? SIGTERM : *result_.interrupted_by);
    }
    if (count > 1) Order(kKillAll);  // A second Ctrl-C skips the grace period.
  }

  void MindStop() {
    if (ended_ || result_.interrupted_by || !options_.stop || !options_.stop()) return;
    result_.interrupted_by = SIGTERM;
    AskToEnd(SIGTERM);
  }

  // A batch system signals all processes of a job at once, and ours may arrive just after
  // the program has died from it.
  void MindLateSignal() {
    constexpr int kFirstSignalCode = 128;
    const int ended_by = result_.exit_code - kFirstSignalCode;
    const bool may_be_ours = ended_by == SIGTERM || ended_by == SIGINT;
    if (signals_ == nullptr || !may_be_ours || result_.timed_out) return;
    if (!result_.interrupted_by && signals_->WaitFor(kTick)) {
      result_.interrupted_by = signals_->first();
    }
  }

  void MindTime() {
    const Clock::time_point now = Clock::now();
    if (options_.on_tick && now >= next_tick_) {
      options_.on_tick(std::chrono::duration<double>(now - started_).count());
      next_tick_ = now + kTick;
    }
    if (ended_) return;
    if (stop_at_ && now >= *stop_at_) {
      stop_at_.reset();
      result_.timed_out = !result_.interrupted_by;
      AskToEnd(SIGTERM);
    }
    if (kill_at_ && now >= *kill_at_) {
      kill_at_.reset();
      Order(kKillAll);
    }
  }

  void AskToEnd(int signal_number) {
    Order(static_cast<char>(signal_number));
    if (!kill_at_) kill_at_ = Clock::now() + Seconds(options_.grace_s);
  }

  void Order(char order) const { channels_.control.Say(order); }

  Error NotStarted() const {
    const std::string reason = std::strerror(not_started_->error_number);
    switch (not_started_->step) {
      case KeeperReport::Step::kFork:
        return {ErrorCode::kIo, "starting a process: " + reason};
      case KeeperReport::Step::kDirectory:
        return {ErrorCode::kCannotStart, command_.directory.string() + ": " + reason};
      case KeeperReport::Step::kExecute:
        break;
    }
    std::string text = command_.argv[0] + ": " + reason;
    if (not_started_->error_number == ENOEXEC) {
      text += "; a script needs a #! line with its interpreter";
    }
    return {ErrorCode::kCannotStart, text};
  }

  const Command& command_;
  const ProcessOptions& options_;
  const SignalWatch* signals_;
  Channels channels_;
  FileDescriptor log_;
  Clock::time_point started_;
  Clock::time_point next_tick_;
  std::optional<Clock::time_point> stop_at_;
  std::optional<Clock::time_point> kill_at_;
  bool output_open_ = true;
  bool ended_ = false;  // The program exited.
  bool gone_ = false;   // So did all others.
  bool keeper_lost_ = false;
  int log_error_ = 0;
  std::optional<KeeperReport> not_started_;
  ProcessResult result_;
};

}  // namespace

std::string Describe(const ProcessResult& result) {
  if (result.timed_out) return "timeout";
  if (result.interrupted_by) {
    const char* const name = ::sigabbrev_np(*result.interrupted_by);
    return "interrupted (" +
           (name != nullptr ? "SIG" + std::string(name)
                            : "signal " + std::to_string(*result.interrupted_by)) +
           ")";
  }
  if (result.signal) {
    return "killed by signal " + std::to_string(*result.signal) + " (" +
           ::strsignal(*result.signal) + ")";  // NOLINT(concurrency-mt-unsafe)
  }
  return "exit code " + std::to_string(result.exit_code);
}

Result<ProcessResult> SystemProcessRunner::Run(const Command& command,
                                               const ProcessOptions& options) {
  RIDGELINE_TRY(const fs::path program, FindProgram(command));
  RIDGELINE_TRY(FileDescriptor log,
                CreateFile(options.log_file, options.append_to_log ? O_APPEND : O_TRUNC));
  RIDGELINE_TRY(FileDescriptor output, CreateFile(options.output_file, O_TRUNC));
  Channels channels;
  if (!channels.Open()) return IoError("starting a process", errno);
  for (const Pipe* pipe : {&channels.report, &channels.output}) {
    ::fcntl(pipe->read_end.get(), F_SETFL, O_NONBLOCK);
  }
  const Image image(command, program);
  KeeperJob job = image.Job();
  job.error_fd = channels.output.write_end.get();
  job.output_fd = output.ok() ? output.get() : job.error_fd;
  job.control_fd = channels.control.listener.get();
  job.report_fd = channels.report.write_end.get();
  job.inherited_fd = options.inherited_fd.value_or(-1);
  RIDGELINE_TRY(const pid_t warden, StartKeeper(job));
  channels.KeepOurs();
  Result<ProcessResult> result =
      Supervisor(command, options, signals_, std::move(channels), std::move(log))
          .Follow();
  // If the keeper was killed, the warden terminates the remaining processes.
  while (::waitpid(warden, nullptr, 0) < 0 && errno == EINTR) {
  }
  return result;
}

}  // namespace ridgeline::os
