// How a run of ncu ended, in one word that scripts can look for, with its cause and what
// to do about it. Without any kernel, ncu ends well.
#pragma once

#include <string>
#include <string_view>

#include "os/process_runner.h"

namespace ridgeline::stages {

enum class NcuVerdict {
  kProfiled,
  // From here on there is nothing to look at.
  kNoKernels,
  kPermissionDenied,  // GPU counters are for administrators.
  kNoMetrics,         // None of what was asked for exists.
  kArgumentRefused,
  kToolTooOld,  // For the driver.
  kWorkloadFailed,
  kToolFailed,
  kTimedOut,
  kNoReport,
};

std::string_view Name(NcuVerdict verdict);  // "NoKernels"

struct NcuOutcome {
  NcuVerdict verdict = NcuVerdict::kProfiled;
  std::string cause;  // Empty: as it should be.

  bool failed() const { return verdict != NcuVerdict::kProfiled; }
  std::string ToString() const;  // "NoKernels: ..."
};

// `log` is all that ncu printed.
NcuOutcome JudgeNcu(const os::ProcessResult& process, std::string_view log,
                    bool has_report);

// What an administrator does about counters; in the cause of kPermissionDenied.
std::string CounterPermissionFix();

}  // namespace ridgeline::stages
