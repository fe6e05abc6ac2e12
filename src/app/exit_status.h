// The numbers the program ends with. They are part of the public interface:
// scripts test them.
#pragma once

#include "base/result.h"

namespace ridgeline::app {

enum class ExitStatus : int {
  kDone = 0,
  kFailed = 1,            // A stage failed; the report names it.
  kUsage = 2,             // Bad usage, configuration or input; nothing was started.
  kRefused = 3,           // A gate or a check said no.
  kCannotStart = 126,     // A program that we need is there and does not start.
  kProgramMissing = 127,  // A program that we need is not there.
};

// As shells do: 130 after an interrupt (signal 2), 143 after a termination.
constexpr int ExitCodeOfSignal(int signal_number) { return 128 + signal_number; }

// For errors that end the whole program. A stage's error does not: it ends the stage.
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
