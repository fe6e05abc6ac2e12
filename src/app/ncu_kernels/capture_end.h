// Outcome of an application run under ncu, determined by stages::ClassifyNcu from the
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
  // Adds output in chunks as it arrives.
  void Add(std::string_view bytes);

  // Lines with "==ERROR== " or "==WARNING== ".
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

// Fails if the cause is neither the application nor a lack of matching kernels: no
// permission to read counters, a rejected flag, a kernel that ncu failed to profile.
// `has_report`: ncu wrote a report.
Result<CaptureOutcome> ReadCaptureEnd(const os::ProcessResult& ran, const NcuLog& talk,
                                      bool has_report);

}  // namespace ridgeline::app
