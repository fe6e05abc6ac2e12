// Versions and flags reported by other programs. Stages are planned by them, because the
// flags of nsys and ncu differ between versions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ridgeline::pipeline {

class ToolAnswers {
 public:
  virtual ~ToolAnswers() = default;
  // What {"nsys", "--version"} prints, however it ends. Asked once, however often it is
  // wanted. An error if the program cannot be started or says nothing; kTool if it does
  // not end, after which it is not asked again.
  virtual Result<std::string> Ask(const std::vector<std::string>& argv) = 0;
  // No answer takes longer; nothing: as long as is usual.
  virtual void LimitTo(std::optional<double> timeout_s) = 0;
};

}  // namespace ridgeline::pipeline
