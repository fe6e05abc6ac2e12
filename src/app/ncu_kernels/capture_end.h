// Outcome of an application run under ncu, parsed from ncu's messages: its exit code is 0
// if it profiled no kernel, and that of the application if the application failed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/process_runner.h"

namespace ridgeline::app {

// Keeps what ncu itself says, "==ERROR== ...", out of everything that is printed.
class NcuTalk {
 public:
  // Pieces of the output as they come.
  void Add(std::string_view bytes);

  // Without the "==ERROR== " or "==WARNING== " before them.
  const std::vector<std::string>& errors() const { return errors_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void AddLine(std::string_view line);

  std::string open_line_;
  std::vector<std::string> errors_;
  std::vector<std::string> warnings_;
};

struct CaptureEnd {
  bool has_report = false;
  std::optional<int> application_exit_code;  // Only if it failed.
};

// An error if it was neither the application nor a lack of kernels: counters that we may
// not read, a flag that ncu refused. `has_report`: ncu has written one.
Result<CaptureEnd> ReadCaptureEnd(const os::ProcessResult& ran, const NcuTalk& talk,
                                  bool has_report);

}  // namespace ridgeline::app
