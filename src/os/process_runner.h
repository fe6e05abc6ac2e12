// Running other programs: the only way to start one.
//
// Each program gets its own session, /dev/null as stdin and a keeper: a small process
// that adopts all of its descendants. When the program exits, times out or is
// interrupted, or when ridgeline dies, the keeper terminates all of them, so that nothing
// outlives a run.
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/command.h"

namespace ridgeline::os {

class SignalWatch;

struct ProcessOptions {
  // stdout and stderr of the program, interleaved as written; an existing file is
  // replaced. Empty: no log file.
  std::filesystem::path log_file;
  bool append_to_log = false;  // Instead of replacing it.
  // stdout alone, which is then not in the log.
  std::filesystem::path output_file;
  // Sees everything that goes to the log, as it comes.
  std::function<void(std::string_view bytes)> on_output;
  // Called several times a second while the program runs.
  std::function<void(double elapsed_s)> on_tick;
  // Asked several times a second. Once it is true, the program gets SIGTERM, then the
  // grace period, as if we had got the signal ourselves.
  std::function<bool()> stop;
  // Ctrl-C reaches the program as SIGTERM: srun ignores a single SIGINT.
  bool terminate_on_interrupt = false;
  // A descriptor of ours that the program inherits: PMI_FD of a launcher.
  std::optional<int> inherited_fd;
  // Until SIGTERM is sent; nothing: no timeout.
  std::optional<double> timeout_s;
  // Grace period between SIGTERM and SIGKILL.
  double grace_s = 10;
  // How much of the end of the log is handed back in `output`.
  size_t keep_output_bytes = size_t{64} << 10;
};

struct ProcessResult {
  int exit_code = 0;          // 128 + n when signal n ended it, as in a shell.
  std::optional<int> signal;  // What ended it, if a signal did.
  bool timed_out = false;
  std::optional<int> interrupted_by;  // The signal that we got and passed on.
  int leftover_processes = 0;         // Still there when the program ended; ended by us.
  double wall_s = 0;
  double user_s = 0;  // With all descendants that were waited for.
  double system_s = 0;
  int64_t peak_rss_bytes = 0;  // Of the largest single process.
  int64_t output_bytes = 0;    // Of both outputs.
  std::string output;          // The end of the log.

  bool ok() const { return exit_code == 0 && !timed_out && !interrupted_by; }
};

// "exit code 7", "killed by signal 11 (Segmentation fault)", "timeout".
std::string Describe(const ProcessResult& result);

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Waits for the program and everything it left behind. An error means that it did not
  // run: kNotFound, kCannotStart (FindProgram), or that we could not keep its output
  // (kIo), in which case it was killed.
  virtual Result<ProcessResult> Run(const Command& command,
                                    const ProcessOptions& options) = 0;
};

// May be used by several threads at once.
class SystemProcessRunner final : public ProcessRunner {
 public:
  // With a watch, its signals are passed on to the program, followed by the grace period.
  explicit SystemProcessRunner(const SignalWatch* signals = nullptr)
      : signals_(signals) {}
  Result<ProcessResult> Run(const Command& command,
                            const ProcessOptions& options) override;

 private:
  const SignalWatch* signals_;
};

}  // namespace ridgeline::os
