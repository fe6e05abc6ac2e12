// How a capture ended, in one word that scripts can look for, with its cause and what to
// do about it. nsys ends well in most of these cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/process_runner.h"
#include "stages/nsys/log.h"
#include "stages/nsys/options.h"

namespace ridgeline::stages {

enum class NsysVerdict {
  kCaptured,
  kKilledByRangeEnd,  // As capture_range_end asked: the program ended with the range.
  kFewerRanges,       // repeat:N saw less than N ranges.
  kLeftRunning,       // nsys ended before the program, which was then ended by us.
  // From here on there is nothing to look at.
  kNoRangeHit,
  kReportRedirected,  // nsys found a file in its place and wrote outside the run.
  kToolFailed,        // nsys itself, as it does now and then beside another nsys.
  kWorkloadFailed,
  kArgumentRefused,  // By this version of nsys.
  kTimedOut,
  kNoReport,
};

std::string_view Name(NsysVerdict verdict);  // "NoRangeHit"

struct NsysOutcome {
  NsysVerdict verdict = NsysVerdict::kCaptured;
  std::string cause;                    // Empty: as it should be.
  std::vector<std::string> retry_with;  // Overrides that mend it.

  bool failed() const { return verdict >= NsysVerdict::kNoRangeHit; }
  std::string ToString() const;  // "NoRangeHit: no NVTX range ..."
};

// What one `nsys profile` left behind.
struct NsysEnd {
  os::ProcessResult process;
  NsysLog log;
  size_t files = 0;  // Reports and raw streams that are there.
};

NsysOutcome Judge(const NsysOptions& options, const std::string& nvtx_capture,
                  const NsysEnd& end);

}  // namespace ridgeline::stages
