#include "app/run/tool_asker.h"

#include <algorithm>

namespace ridgeline::app {
namespace {

// The slowest legitimate first answer took a second, from a cold network disk. A program
// that has answered once may take longer: listing all metrics of a GPU takes seconds.
constexpr double kFirstTimeoutS = 5;
constexpr double kNextTimeoutS = 20;

// ncu's list of all metrics is a megabyte.
constexpr size_t kMaxAnswer = size_t{16} << 20;

}  // namespace

double ToolAsker::PatienceWith(const std::string& program) const {
  const bool has_answered =
      std::any_of(answers_.begin(), answers_.end(),
                  [&](const auto& answer) { return answer.first.front() == program; });
  const double patience_s = has_answered ? kNextTimeoutS : kFirstTimeoutS;
  return std::min(patience_s, limit_s_.value_or(patience_s));
}

Result<std::string> ToolAsker::Ask(const std::vector<std::string>& argv) {
  const auto known = answers_.find(argv);
  if (known != answers_.end()) return known->second;
  if (const auto hung = hung_.find(argv.front()); hung != hung_.end()) {
    return hung->second;
  }
  // Not in the user's directory: `nsys stats` takes every *.py there for one of its
  // reports and runs it.
  const os::Command command = {
      .argv = argv, .environment = {{"LC_ALL", "C"}}, .directory = "/"};
  RIDGELINE_TRY(const os::ProcessResult ran,
                processes_.Run(command, {.timeout_s = PatienceWith(argv.front()),
                                         .grace_s = 0.5,
                                         .keep_output_bytes = kMaxAnswer}));
  // Some print their help and exit with an error.
  if (ran.timed_out || ran.interrupted_by || ran.output.empty()) {
    Error error(ErrorCode::kTool, command.ToShellString() + ": " + os::Describe(ran));
    if (ran.timed_out) hung_.emplace(argv.front(), error);
    return error;
  }
  return answers_.emplace(argv, ran.output).first->second;
}

}  // namespace ridgeline::app
