// Outcome of an application run under ncu, judged by stages::ClassifyNcu from the
// messages that ncu prints between those of the application.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// Filters the messages of ncu ("==ERROR== ...") out of the printed output.
class NcuLog {
 public:
  // Pieces of the output as they come.
  void Add(std::string_view bytes);

  // Its lines with "==ERROR== " or "==WARNING== ".
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void AddLine(std::string_view line);

  std::string open_line_;
  std::vector<std::string> lines_;
};

struct CaptureOutcome {
  bool has_report = false;
  std::optional<int> application_exit_code;  // Only if it failed.
};

// An error if it was neither the application nor a lack of kernels: counters that we may
// not read, a flag that ncu refused, a kernel that it failed to profile. `has_report`:
// ncu has written one.
Result<CaptureOutcome> ReadCaptureEnd(const os::ProcessResult& ran, const NcuLog& talk,
                                      bool has_report);

}  // namespace ridgeline::app
