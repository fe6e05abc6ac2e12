#pragma once

#include <map>
#include <string>
#include <vector>

#include "os/process_runner.h"
#include "pipeline/tool_answers.h"

namespace ridgeline::app {

// Asks the programs themselves, once each.
class ToolAsker final : public pipeline::ToolAnswers {
 public:
  Result<std::string> Ask(const std::vector<std::string>& argv) override;

 private:
  os::SystemProcessRunner processes_;
  std::map<std::vector<std::string>, std::string> answers_;
};

}  // namespace ridgeline::app
