#include "stages/ncu/command.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::stages {
namespace {

// `basic` was called `default` until 2023.
std::string KnownSet(const std::string& set, const NcuFacts& facts) {
  if (set.empty() || NcuFacts::Knows(facts.sets, set)) return set;
  for (const auto& [one, other] : {std::pair("default", "basic"), {"basic", "default"}}) {
    if (set == one && NcuFacts::Knows(facts.sets, other)) return other;
  }
  return "";
}

template <typename IsKnown>
void Keep(std::vector<std::string>& names, IsKnown is_known,
          std::vector<std::string>& unknown) {
  const auto gone = std::stable_partition(names.begin(), names.end(), is_known);
  unknown.insert(unknown.end(), gone, names.end());
  names.erase(gone, names.end());
}

// Whether a `*` is meant as part of a name: "decode*", "LLM@decode*", "decode*/". Between
// slashes, as in "outer/*/inner", it is ncu's own quantifier.
bool IsGlob(const std::string& expression) {
  if (expression == "*") return true;
  for (size_t at = expression.find('*'); at != std::string::npos;
       at = expression.find('*', at + 1)) {
    const bool begins = at == 0 || expression[at - 1] == '/';
    const bool ends = at + 1 == expression.size() || expression[at + 1] == '/';
    if (!begins || !ends) return true;
  }
  return false;
}

// regex: applies to both domain and range; the slash at the end makes it a push/pop
// range.
std::string GlobAsRegex(const std::string& expression) {
  std::string regex = "regex:";
  for (const char c : expression) {
    if (c == '*') {
      regex += ".*";
      continue;
    }
    if (std::string_view(".+?(){}^$|\\").find(c) != std::string_view::npos) regex += '\\';
    regex += c;
  }
  return regex.ends_with('/') ? regex : regex + '/';
}

class NcuArguments {
 public:
  NcuArguments(const NcuFacts& facts, NcuCommand& command)
      : facts_(facts), command_(command) {}

  void Add(const char* flag, const std::string& value) {
    if (value.empty()) return;
    if (!NcuFacts::Knows(facts_.flags, flag)) {
      command_.changes.push_back(
          fmt::format("{} omitted: not supported by {}", flag, facts_.Name()));
      return;
    }
    command_.command.argv.insert(command_.command.argv.end(), {flag, value});
  }
  void Add(const char* flag, const std::optional<int64_t>& value) {
    if (value) Add(flag, std::to_string(*value));
  }
  void AddFilters(const std::vector<std::string>& expressions) {
    command_.command.argv.emplace_back("--nvtx");
    for (const std::string& expression : expressions) {
      Add("--nvtx-include", NvtxFilter(expression));
    }
    for (std::string& note : NvtxTranslations(expressions)) {
      command_.changes.push_back(std::move(note));
    }
  }

 private:
  const NcuFacts& facts_;
  NcuCommand& command_;
};

}  // namespace

std::string NvtxFilter(const std::string& expression) {
  if (expression.starts_with("regex:") ||
      expression.find_first_of("[]") != std::string::npos) {
    return expression;
  }
  if (IsGlob(expression)) return GlobAsRegex(expression);
  return expression.find_first_of("/@") == std::string::npos ? expression + "/"
                                                             : expression;
}

std::vector<std::string> NvtxTranslations(const std::vector<std::string>& expressions) {
  std::vector<std::string> notes;
  for (const std::string& expression : expressions) {
    const std::string filter = NvtxFilter(expression);
    if (filter == expression) continue;
    notes.push_back(fmt::format(
        "nvtx.include '{}' is passed as '{}', ncu's syntax for push/pop ranges",
        expression, filter));
  }
  return notes;
}

NcuOptions WithoutUnknown(const NcuOptions& options, const NcuFacts& facts,
                          std::vector<std::string>& changes) {
  NcuOptions known = options;
  std::vector<std::string> unknown;
  known.set = KnownSet(options.set, facts);
  if (known.set.empty() && !options.set.empty()) {
    unknown.push_back("set " + options.set);
  } else if (known.set != options.set) {
    changes.push_back(
        fmt::format("set {} is named {} in {}", options.set, known.set, facts.Name()));
  }
  Keep(
      known.sections,
      [&](const std::string& section) {
        return section.find(':') != std::string::npos ||
               NcuFacts::Knows(facts.sections, section);
      },
      unknown);
  Keep(
      known.metrics, [&](const std::string& metric) { return facts.KnowsMetric(metric); },
      unknown);
  if (!unknown.empty()) {
    changes.push_back(fmt::format("omitted, not supported by {}: {}", facts.Name(),
                                  fmt::join(unknown, ", ")));
  }
  return known;
}

NcuCommand BuildNcuCommand(const NcuOptions& wanted, const NcuFacts& facts,
                           const os::Command& workload,
                           const std::filesystem::path& report) {
  NcuCommand built;
  built.command = workload;
  built.command.argv = {"ncu"};
  const NcuOptions options = WithoutUnknown(wanted, facts, built.changes);
  if (!options.replay_mode.empty() &&
      !NcuFacts::Knows(facts.replay_modes, options.replay_mode)) {
    built.impossible =
        fmt::format("ToolTooOld: {} has no --replay-mode {}; supported: {}", facts.Name(),
                    options.replay_mode, fmt::join(facts.replay_modes, ", "));
  }
  NcuArguments arguments(facts, built);
  arguments.Add("--target-processes", options.target_processes);
  arguments.Add("--replay-mode", options.replay_mode);
  if (options.IsGated()) arguments.AddFilters(options.nvtx_include);
  arguments.Add("--set", options.set);
  for (const std::string& section : options.sections) {
    arguments.Add("--section", section);
  }
  arguments.Add("--metrics", fmt::format("{}", fmt::join(options.metrics, ",")));
  arguments.Add("--kernel-name", options.kernel_name);
  arguments.Add("--kernel-name-base", options.kernel_name_base);
  arguments.Add("--launch-skip", options.launch_skip);
  arguments.Add("--launch-count",
                options.launch_count ? options.launch_count : options.sampled_launches);
  arguments.Add("--clock-control", options.clock_control);
  arguments.Add("--cache-control", options.cache_control);
  std::vector<std::string>& argv = built.command.argv;
  if (options.force_overwrite) argv.emplace_back("--force-overwrite");
  argv.insert(argv.end(), options.extra_args.begin(), options.extra_args.end());
  argv.insert(argv.end(), {"-o", report.string()});
  argv.insert(argv.end(), workload.argv.begin(), workload.argv.end());
  return built;
}

os::Command BuildNcuExport(const std::filesystem::path& report, const std::string& page,
                           bool as_csv) {
  os::Command command = {.argv = {"ncu", "--import", report.string(), "--page", page},
                         .environment = {{"LC_ALL", "C"}},
                         .directory = {}};
  if (as_csv) command.argv.emplace_back("--csv");
  return command;
}

}  // namespace ridgeline::stages
