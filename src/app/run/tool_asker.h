#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "os/process_runner.h"
#include "pipeline/tool_answers.h"

namespace ridgeline::app {

// Runs each query once and caches the answer.
class ToolAsker final : public pipeline::ToolAnswers {
 public:
  Result<std::string> Ask(const std::vector<std::string>& argv) override;
  void LimitTo(std::optional<double> timeout_s) override { limit_s_ = timeout_s; }

 private:
  double PatienceWith(const std::string& program) const;

  os::SystemProcessRunner processes_;
  std::map<std::vector<std::string>, std::string> answers_;
  std::map<std::string, Error> hung_;  // By program.
  std::optional<double> limit_s_;
};

}  // namespace ridgeline::app
