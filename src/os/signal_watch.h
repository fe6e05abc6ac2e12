// Interrupts that can be polled, instead of ending the process.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

namespace ridgeline::os {

// While one exists, SIGINT, SIGTERM and SIGHUP do not end the process but are counted
// here. One that is made while another exists watches the same signals, and has seen
// what that one has; it must end first.
class SignalWatch {
 public:
  // kWithTimeLimit: also SIGUSR2, with which Slurm announces a time limit. Programs that
  // we started get SIGTERM then.
  enum class Signals { kUsual, kWithTimeLimit };

  explicit SignalWatch(Signals signals = Signals::kUsual);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::optional<int> first() const;  // The signal that came first.
  int count() const;                 // How many came.
  int wake_fd() const;               // Readable from the first signal on; never read it.

  // Until a signal has come or the time has passed: whether one has.
  bool WaitFor(std::chrono::milliseconds time) const;

 private:
  struct Before;
  std::unique_ptr<Before> before_;  // Of the outermost one only.
};

// A file beyond `ulimit -f` is then an error of the write instead of the end of the
// process. Programs that are started get the default again.
void ReportFileSizeLimit();

}  // namespace ridgeline::os
