// Versions and flags reported by other programs. Planning needs them, because the flags
// of nsys and ncu differ between versions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridgeline::pipeline {

class ToolAnswers {
 public:
  virtual ~ToolAnswers() = default;
  // The output of, e.g., {"nsys", "--version"}, whatever its exit code. Run once; the
  // result is cached. An error if the program cannot be started or prints nothing; kTool
  // if it hangs, after which it is not run again.
  virtual Result<std::string> Ask(const std::vector<std::string>& argv) = 0;
  // Sets the timeout; empty: the default.
  virtual void LimitTo(std::optional<double> timeout_s) = 0;
};

}  // namespace ridgeline::pipeline
