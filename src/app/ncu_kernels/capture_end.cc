#include "app/ncu_kernels/capture_end.h"

#include <algorithm>
#include <charconv>

#include "stages/ncu/ncu.h"

namespace ridgeline::app {
namespace {

// Lines of an application may have any length; ncu's own are short.
constexpr size_t kMaxLine = 4096;
constexpr size_t kMaxLines = 200;

constexpr std::string_view kApplicationFailed =
    "==ERROR== The application returned an error code (";

std::optional<int> ApplicationExitCode(const NcuLog& talk) {
  for (const std::string& line : talk.lines()) {
    if (!line.starts_with(kApplicationFailed)) continue;
    int code = 0;
    const char* const begin = line.data() + kApplicationFailed.size();
    if (std::from_chars(begin, line.data() + line.size(), code).ec == std::errc()) {
      return code;
    }
  }
  return std::nullopt;
}

// ncu prints flag errors without a prefix; drops its "Use --help" line.
std::string LastWords(const std::string& output) {
  std::string last;
  size_t begin = 0;
  while (begin < output.size()) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    const std::string line = output.substr(begin, end - begin);
    if (!line.empty() && !line.starts_with("Use --help")) last = line;
    begin = end + 1;
  }
  return last;
}

// Messages of ncu, without the output of the application.
std::string LogOf(const os::ProcessResult& ran, const NcuLog& talk) {
  if (talk.lines().empty()) return ran.ok() ? "" : LastWords(ran.output);
  std::string log;
  for (const std::string& line : talk.lines()) log += line + "\n";
  return log;
}

}  // namespace

void NcuLog::Add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    open_line_ += piece.substr(0, kMaxLine - std::min(kMaxLine, open_line_.size()));
    if (end == std::string_view::npos) return;
    AddLine(open_line_);
    open_line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void NcuLog::AddLine(std::string_view line) {
  if (!line.starts_with("==ERROR== ") && !line.starts_with("==WARNING== ")) return;
  if (lines_.size() < kMaxLines) lines_.emplace_back(line);
}

Result<CaptureOutcome> ReadCaptureEnd(const os::ProcessResult& ran, const NcuLog& talk,
                                      bool has_report) {
  using stages::NcuVerdict;
  const stages::NcuOutcome outcome =
      stages::ClassifyNcu(ran, LogOf(ran, talk), has_report);
  switch (outcome.verdict) {
    case NcuVerdict::kProfiled:
    case NcuVerdict::kNoKernels:
      return CaptureOutcome{.has_report = has_report, .application_exit_code = {}};
    case NcuVerdict::kWorkloadFailed:
      return CaptureOutcome{.has_report = has_report,
                            .application_exit_code = ApplicationExitCode(talk)};
    default:
      break;
  }
  const std::string ended = os::Describe(ran);
  const std::string words = outcome.cause == ended ? LogOf(ran, talk) : outcome.cause;
  return Error(ErrorCode::kTool,
               "ncu failed (" + ended + ")" + (words.empty() ? "" : ": " + words));
}

}  // namespace ridgeline::app
