#include "app/ncu_kernels/capture_end.h"

#include <algorithm>
#include <charconv>

namespace ridgeline::app {
namespace {

// A line of an application may have any length; ncu's own are short.
constexpr size_t kLongestLine = 4096;
constexpr size_t kMostLines = 200;

constexpr std::string_view kApplicationFailed =
    "The application returned an error code (";

std::optional<int> ApplicationExitCode(const NcuTalk& talk) {
  for (const std::string& line : talk.errors()) {
    if (!line.starts_with(kApplicationFailed)) continue;
    int code = 0;
    const char* const begin = line.data() + kApplicationFailed.size();
    if (std::from_chars(begin, line.data() + line.size(), code).ec == std::errc()) {
      return code;
    }
  }
  return std::nullopt;
}

bool Mentions(const std::vector<std::string>& lines, std::string_view words) {
  return std::any_of(lines.begin(), lines.end(), [words](const std::string& line) {
    return line.find(words) != std::string::npos;
  });
}

// ncu prints flag errors without a prefix; its "Use --help" line is dropped.
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

}  // namespace

void NcuTalk::Add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    open_line_ +=
        piece.substr(0, kLongestLine - std::min(kLongestLine, open_line_.size()));
    if (end == std::string_view::npos) return;
    AddLine(open_line_);
    open_line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void NcuTalk::AddLine(std::string_view line) {
  constexpr std::string_view kError = "==ERROR== ";
  constexpr std::string_view kWarning = "==WARNING== ";
  const bool is_error = line.starts_with(kError);
  if (!is_error && !line.starts_with(kWarning)) return;
  std::vector<std::string>& lines = is_error ? errors_ : warnings_;
  line.remove_prefix(is_error ? kError.size() : kWarning.size());
  if (lines.size() < kMostLines) lines.emplace_back(line);
}

Result<CaptureEnd> ReadCaptureEnd(const os::ProcessResult& ran, const NcuTalk& talk,
                                  bool has_report) {
  if (Mentions(talk.errors(), "ERR_NVGPUCTRPERM")) {
    return Error(ErrorCode::kTool,
                 "no permission to read GPU performance counters (ERR_NVGPUCTRPERM): run "
                 "as root, or load the driver with "
                 "NVreg_RestrictProfilingToAdminUsers=0; see `ridgeline doctor`");
  }
  CaptureEnd end = {.has_report = has_report,
                    .application_exit_code = ApplicationExitCode(talk)};
  const bool saw_none = Mentions(talk.warnings(), "No kernels were profiled");
  if (has_report || saw_none || end.application_exit_code) return end;
  const std::string words =
      talk.errors().empty() ? LastWords(ran.output) : talk.errors().front();
  return Error(ErrorCode::kTool, "ncu failed (" + os::Describe(ran) + ")" +
                                     (words.empty() ? "" : ": " + words));
}

}  // namespace ridgeline::app
