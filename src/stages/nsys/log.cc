#include "stages/nsys/log.h"

#include <algorithm>
#include <optional>

namespace ridgeline::stages {
namespace {

// Progress bars overwrite their line after a carriage return.
template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// The text between the two, at its first occurrence.
std::optional<std::string_view> Between(std::string_view line, std::string_view before,
                                        std::string_view after) {
  const size_t begin = line.find(before);
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + before.size());
  const size_t end = line.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(0, end);
}

bool Has(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

// Error messages of 2020 to 2025: from its argument parser, and its own for values.
bool IsRefusal(std::string_view line) {
  constexpr std::string_view kBeginnings[] = {"unrecognised option",
                                              "unrecognized option", "Illegal --",
                                              "Illegal argument", "the argument ("};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [line](std::string_view start) { return line.starts_with(start); });
}

bool TellsOfNoProgram(std::string_view line) {
  return line.starts_with("No such file or directory: ") ||
         line.starts_with("Unknown executable format.");
}

// "/usr/.../gpukernsum.py" -> "gpukernsum"
std::string ReportOf(std::string_view script) {
  script.remove_prefix(script.rfind('/') + 1);
  return std::string(script.substr(0, script.rfind(".py")));
}

// Errors of nsys itself end with tags: "[QuadDCommon::tag_message*] = Local ...",
// "[boost::errinfo_api_function_*] = sem_open". A lost connection between its processes
// has no tag. Empty: not an error line.
std::string OwnError(std::string_view line) {
  constexpr std::string_view kMessage = "QuadDCommon::tag_message*] = ";
  constexpr std::string_view kFunction = "boost::errinfo_api_function_*] = ";
  if (const size_t at = line.find(kMessage); at != line.npos) {
    return std::string(line.substr(at + kMessage.size()));
  }
  if (const size_t at = line.find(kFunction); at != line.npos) {
    return std::string(line.substr(at + kFunction.size())) + " failed in nsys.";
  }
  constexpr std::string_view kLost[] = {"Connection reset by peer", "End of file",
                                        "Broken pipe"};
  const bool is_lost =
      std::find(std::begin(kLost), std::end(kLost), line) != std::end(kLost);
  // nsys refers to the program as "the target application" if that crashes.
  const bool is_crash = !Has(line, "target application") &&
                        (Has(line, "(core dumped)") || Has(line, "terminate called"));
  return is_lost || is_crash ? std::string(line) : "";
}

}  // namespace

NsysLog ParseNsysLog(std::string_view text) {
  NsysLog log;
  bool in_list = false;
  ForEachLine(text, [&](std::string_view line) {
    const bool is_path = in_list && line.starts_with("    /");
    if (is_path) log.generated.emplace_back(line.substr(4));
    if (line == "Generated:") log.finished = true;
    // The list is the last output of nsys, but an empty line may come in between.
    in_list = line == "Generated:" || is_path;
    if (const auto path = Between(line, "Failed to create '", "': File exists")) {
      log.not_created = *path;
    }
    if (line == "Capture range started in the application.") ++log.ranges_started;
    if (line == "Capture range ended in the application.") ++log.ranges_ended;
    if (Has(line, "skipping importation of the QDSTRM file")) log.importer_missing = true;
    if (const std::string error = OwnError(line); !error.empty()) log.broke = error;
    if (log.refused.empty() && IsRefusal(line)) log.refused = line;
    if (TellsOfNoProgram(line)) log.not_started = line;
  });
  return log;
}

NsysStatsLog ParseNsysStatsLog(std::string_view text) {
  NsysStatsLog log;
  ForEachLine(text, [&log](std::string_view line) {
    if (const auto name = Between(line, "ERROR: Report '", "' could not be found")) {
      log.unknown.emplace_back(*name);
    }
    if (!Has(line, "SKIPPED: ")) return;
    if (const auto script = Between(line, "with [", "]")) {
      log.empty.push_back(ReportOf(*script));
    }
  });
  return log;
}

}  // namespace ridgeline::stages
