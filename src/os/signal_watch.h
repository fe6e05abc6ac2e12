// Makes interrupts pollable instead of fatal.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

namespace ridgeline::os {

// While one exists, SIGINT, SIGTERM and SIGHUP do not end the process but are counted
// here. A nested watch shares the signals and the count of the outer one and must be
// destroyed first.
class SignalWatch {
 public:
  // kWithTimeLimit: also SIGUSR2, with which Slurm announces a time limit. Programs we
  // started then get SIGTERM.
  enum class Signals { kUsual, kWithTimeLimit };

  explicit SignalWatch(Signals signals = Signals::kUsual);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  std::optional<int> first() const;  // The first signal received.
  int count() const;                 // Number received.
  int wake_fd() const;               // Readable from the first signal on; do not read it.

  // Waits for a signal or until the time has passed; true if there was a signal.
  bool WaitFor(std::chrono::milliseconds time) const;

 private:
  struct Before;
  std::unique_ptr<Before> before_;  // Only in the outermost one.
};

// Makes exceeding `ulimit -f` an error of the write instead of ending the process.
// Started programs get the default behavior again.
void ReportFileSizeLimit();

}  // namespace ridgeline::os
