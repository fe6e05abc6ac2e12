// Runs other programs: the only way to start one.
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
  // Receives everything that goes to the log, as it arrives.
  std::function<void(std::string_view bytes)> on_output;
  // Called several times a second while the program runs.
  std::function<void(double elapsed_s)> on_tick;
  // Polled several times a second. Once true, the program gets SIGTERM, then the grace
  // period, as if we had received the signal ourselves.
  std::function<bool()> stop;
  // Ctrl-C reaches the program as SIGTERM: srun ignores a single SIGINT.
  bool terminate_on_interrupt = false;
  // One of our descriptors that the program inherits: PMI_FD of a launcher.
  std::optional<int> inherited_fd;
  // Time until SIGTERM is sent; empty: no timeout.
  std::optional<double> timeout_s;
  // Grace period between SIGTERM and SIGKILL.
  double grace_s = 10;
  // Size of the tail of the log returned in `output`.
  size_t keep_output_bytes = size_t{64} << 10;
};

struct ProcessResult {
  int exit_code = 0;          // 128 + n if signal n ended it, as in a shell.
  std::optional<int> signal;  // Set if a signal ended it.
  bool timed_out = false;
  std::optional<int> interrupted_by;  // The signal we received and forwarded.
  int leftover_processes = 0;  // Still running when the program exited; terminated by us.
  double wall_s = 0;
  double user_s = 0;  // Includes all descendants that were waited for.
  double system_s = 0;
  int64_t peak_rss_bytes = 0;  // Of the largest single process.
  int64_t output_bytes = 0;    // stdout and stderr.
  std::string output;          // The tail of the log.

  bool ok() const { return exit_code == 0 && !timed_out && !interrupted_by; }
};

// "exit code 7", "killed by signal 11 (Segmentation fault)", "timeout".
std::string Describe(const ProcessResult& result);

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  // Waits for the program and all its leftover processes. An error means that it did not
  // run, kNotFound or kCannotStart (FindProgram), or that its output could not be stored
  // (kIo), in which case it was killed.
  virtual Result<ProcessResult> Run(const Command& command,
                                    const ProcessOptions& options) = 0;
};

// Thread-safe.
class SystemProcessRunner final : public ProcessRunner {
 public:
  // With a watch, its signals are forwarded to the program, followed by the grace period.
  explicit SystemProcessRunner(const SignalWatch* signals = nullptr)
      : signals_(signals) {}
  Result<ProcessResult> Run(const Command& command,
                            const ProcessOptions& options) override;

 private:
  const SignalWatch* signals_;
};

}  // namespace ridgeline::os
