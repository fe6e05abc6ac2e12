#pragma once

#include "pipeline/tool_answers.h"

namespace ridgeline::pipeline {

// A machine without any tools installed.
class NoTools final : public ToolAnswers {
 public:
  Result<std::string> Ask(const std::vector<std::string>& argv) override {
    return Error(ErrorCode::kNotFound, argv.front() + " is not installed");
  }
  void LimitTo(std::optional<double> /*timeout_s*/) override {}
};

}  // namespace ridgeline::pipeline
