#include "stages/nsys/capabilities.h"

#include <cctype>
#include <vector>

#include "hardware/system_files.h"

namespace ridgeline::stages {
namespace {

using hardware::Lines;
using hardware::Trimmed;

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

// "--sample" in "-s, --sample=", which is on a separate line; two flags in
// "--nvtx-domain-[include|exclude]=".
std::vector<std::string> FlagsOnLine(std::string_view line) {
  line = Trimmed(line);
  const size_t at = line.find("--");
  if (!line.starts_with('-') || at == std::string_view::npos) return {};
  line.remove_prefix(at);
  size_t end = 0;
  while (end < line.size() && IsNameCharacter(line[end])) ++end;
  const std::string name(line.substr(0, end));
  if (end == line.size() || line[end] != '[') return {name};
  std::vector<std::string> names;
  std::string_view endings = line.substr(end + 1, line.find(']', end) - end - 1);
  while (!endings.empty()) {
    const size_t bar = std::min(endings.find('|'), endings.size());
    names.push_back(name + std::string(endings.substr(0, bar)));
    endings.remove_prefix(std::min(bar + 1, endings.size()));
  }
  return names;
}

// 'process-tree' and 'none' in "Possible values are 'process-tree' or 'none'."
void AddQuotedWords(std::string_view line, std::set<std::string>& words) {
  while (true) {
    const size_t open = line.find('\'');
    if (open == std::string_view::npos) return;
    const size_t close = line.find('\'', open + 1);
    if (close == std::string_view::npos) return;
    words.emplace(line.substr(open + 1, close - open - 1));
    line.remove_prefix(close + 1);
  }
}

void ReadProfileHelp(std::string_view help, NsysFacts& facts) {
  std::vector<std::string> current;
  bool in_values = false;
  for (const std::string_view line : Lines(help)) {
    if (const auto names = FlagsOnLine(line); !names.empty()) {
      current = names;
      for (const std::string& name : names) facts.flags[name];
      in_values = false;
      continue;
    }
    if (line.find("Possible values are") != std::string_view::npos) in_values = true;
    if (!in_values) continue;
    for (const std::string& name : current) AddQuotedWords(line, facts.flags[name]);
    in_values = line.find('.') == std::string_view::npos;
  }
}

// "  gpukernsum[:base|:mangled] -- CUDA GPU Kernel Summary"
void ReadStatsHelp(std::string_view help, NsysFacts& facts) {
  for (const std::string_view line : Lines(help)) {
    const size_t dashes = line.find(" -- ");
    if (dashes == std::string_view::npos) continue;
    const std::string_view name = Trimmed(line.substr(0, dashes));
    facts.reports.emplace(name.substr(0, name.find('[')));
  }
}

}  // namespace

bool NsysFacts::Knows(std::string_view flag, std::string_view value) const {
  const auto found = flags.find(flag);
  if (found == flags.end()) return flags.empty();
  return found->second.empty() || found->second.contains(std::string(value));
}

NsysFacts ParseNsysFacts(std::string_view version, std::string_view profile_help,
                         std::string_view stats_help) {
  NsysFacts facts;
  constexpr std::string_view kBefore = "version ";
  const size_t at = version.find(kBefore);
  if (at != std::string_view::npos) {
    const std::string_view rest = version.substr(at + kBefore.size());
    facts.version = rest.substr(0, rest.find_first_of(" \r\n"));
  }
  ReadProfileHelp(profile_help, facts);
  ReadStatsHelp(stats_help, facts);
  return facts;
}

NsysFacts AskNsys(pipeline::ToolAnswers& tools) {
  std::string unanswered;
  const auto answer = [&](const std::vector<std::string>& argv) {
    Result<std::string> text = tools.Ask(argv);
    if (text.ok()) return std::move(text).value();
    if (text.error().code() == ErrorCode::kTool) unanswered = text.error().message();
    return std::string();
  };
  NsysFacts facts =
      ParseNsysFacts(answer({"nsys", "--version"}), answer({"nsys", "profile", "--help"}),
                     answer({"nsys", "stats", "--help-reports"}));
  facts.unanswered = unanswered;
  return facts;
}

}  // namespace ridgeline::stages
