#include "app/run/tool_asker.h"

namespace ridgeline::app {
namespace {

// The slowest honest answer seen took a second, from a cold network disk.
constexpr double kTimeoutS = 20;

// ncu's list of all metrics has a megabyte.
constexpr size_t kLongestAnswer = size_t{16} << 20;

}  // namespace

Result<std::string> ToolAsker::Ask(const std::vector<std::string>& argv) {
  const auto known = answers_.find(argv);
  if (known != answers_.end()) return known->second;
  // Not in the user's directory: `nsys stats` takes every *.py there for a report of its
  // own and runs it.
  const os::Command command = {
      .argv = argv, .environment = {{"LC_ALL", "C"}}, .directory = "/"};
  RIDGELINE_TRY(const os::ProcessResult ran,
                processes_.Run(command, {.timeout_s = kTimeoutS,
                                         .grace_s = 1,
                                         .keep_output_bytes = kLongestAnswer}));
  // Some print their help and fail.
  if (ran.timed_out || ran.interrupted_by || ran.output.empty()) {
    return Error(ErrorCode::kTool, command.ToShellString() + ": " + os::Describe(ran));
  }
  return answers_.emplace(argv, ran.output).first->second;
}

}  // namespace ridgeline::app
