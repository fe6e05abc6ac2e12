// Exit codes of the program. They are part of the public interface: scripts test them.
#pragma once

#include "base/result.h"

namespace ridgeline::app {

enum class ExitStatus : int {
  kDone = 0,
  kFailed = 1,            // A stage failed; the report names it.
  kUsage = 2,             // Bad usage, configuration or input; nothing was started.
  kRefused = 3,           // A gate or a check failed.
  kCannotStart = 126,     // A required program cannot be started.
  kProgramMissing = 127,  // A required program was not found.
};

// Like shells: 130 after SIGINT, 143 after SIGTERM.
constexpr int ExitCodeOfSignal(int signal_number) { return 128 + signal_number; }

// For errors that end the whole program. An error of a stage only ends that stage.
constexpr ExitStatus ExitStatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConfig:
    case ErrorCode::kNotFound:
    case ErrorCode::kParse:
    case ErrorCode::kUnsupported:
      return ExitStatus::kUsage;
    case ErrorCode::kCannotStart:
      return ExitStatus::kCannotStart;
    case ErrorCode::kTool:
    case ErrorCode::kIo:
      return ExitStatus::kFailed;
  }
  return ExitStatus::kFailed;
}

}  // namespace ridgeline::app
