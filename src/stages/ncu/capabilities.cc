#include "stages/ncu/capabilities.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "hardware/system_files.h"

namespace ridgeline::stages {
namespace {

using hardware::Lines;

// Counters that exist in all versions from 2020 to 2025.
constexpr const char* kCommonChip = "ga102";

std::string_view FirstWord(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of(" \t\r"));
}

// "  -k [ --kernel-name ] arg   Filter the kernel ...": flags are at the left edge.
std::string_view FlagOnLine(std::string_view line) {
  const size_t edge = line.find_first_not_of(' ');
  if (edge == std::string_view::npos || edge > 4 || line[edge] != '-') return "";
  const size_t at = line.find("--");
  if (at == std::string_view::npos) return "";
  return FirstWord(line.substr(at));
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) != 0 || c == '-';
  });
}

// Values listed in the help of a flag, one per line, each before its explanation.
NcuFacts::Names ValuesOf(std::string_view help, std::string_view flag) {
  NcuFacts::Names values;
  bool is_inside = false;
  for (const std::string_view line : Lines(help)) {
    if (const std::string_view found = FlagOnLine(line); !found.empty()) {
      is_inside = found == flag;
      continue;
    }
    std::string_view word = FirstWord(line);
    // "per-gpu: each device" describes a value, "of these kinds:" continues below.
    if (word.ends_with(':') && !line.ends_with(word)) word.remove_suffix(1);
    if (!is_inside || !IsWord(word)) continue;
    // A value is alone on its line, or before "(default)" or a colon: not in a sentence.
    std::string_view rest = line.substr(line.find(word) + word.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \r"), rest.size()));
    if (rest.empty() || rest.starts_with('(') || rest.starts_with(':')) {
      values.emplace(word);
    }
  }
  return values;
}

// The first column of a table, after its second rule; continuation lines are indented.
NcuFacts::Names FirstColumn(std::string_view table) {
  NcuFacts::Names names;
  int rules = 0;
  for (const std::string_view line : Lines(table)) {
    if (line.starts_with("---")) {
      ++rules;
    } else if (rules >= 2 && !line.empty() && line[0] != ' ') {
      names.emplace(FirstWord(line));
    }
  }
  return names;
}

// The last column of the same table; 0 if it is not a number.
int64_t LastNumber(std::string_view line) {
  const size_t end = line.find_last_not_of(" \r");
  if (end == std::string_view::npos) return 0;
  line = line.substr(0, end + 1);
  const std::string_view word = line.substr(line.rfind(' ') + 1);
  int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

std::map<std::string, int64_t, std::less<>> SetMetrics(std::string_view table,
                                                       const NcuFacts::Names& sets) {
  std::map<std::string, int64_t, std::less<>> metrics;
  for (const std::string_view line : Lines(table)) {
    const std::string name(FirstWord(line));
    if (!line.starts_with(' ') && sets.contains(name)) metrics[name] = LastNumber(line);
  }
  return metrics;
}

// With several chips, one table each.
NcuFacts::Names MetricNames(std::string_view text) {
  NcuFacts::Names names;
  for (const std::string_view line : Lines(text)) {
    const std::string_view word = line.substr(0, line.find(' '));
    if (word.find("__") != std::string_view::npos) names.emplace(word);
  }
  return names;
}

}  // namespace

bool NcuFacts::KnowsMetric(std::string_view metric) const {
  const std::string_view base = metric.substr(0, metric.find('.'));
  constexpr std::string_view kNoCounters[] = {"launch__", "device__", "nvlink__",
                                              "profiler__", "numa__"};
  const bool is_counter =
      metric.find(':') == std::string_view::npos &&
      std::none_of(std::begin(kNoCounters), std::end(kNoCounters),
                   [base](std::string_view start) { return base.starts_with(start); });
  return !is_counter || Knows(metrics, base);
}

int64_t NcuFacts::EstimatedPasses(std::string_view set, size_t own_sections,
                                  size_t own_metrics) const {
  constexpr int64_t kMetricsPerSection = 15;
  constexpr int64_t kMetricsPerPass = 6;
  const auto found = set_metrics.find(set);
  const int64_t of_set = found == set_metrics.end() ? 0 : found->second;
  const int64_t of_sections =
      std::max(of_set, static_cast<int64_t>(own_sections) * kMetricsPerSection);
  const int64_t all = of_sections + static_cast<int64_t>(own_metrics);
  return std::max<int64_t>(1, (all + kMetricsPerPass - 1) / kMetricsPerPass);
}

std::string NcuFacts::Name() const {
  return version.empty() ? "this ncu" : "ncu " + version;
}

NcuFacts ParseNcuFacts(const NcuAnswers& answers) {
  NcuFacts facts;
  for (const std::string_view line : Lines(answers.version)) {
    if (line.starts_with("Version ")) facts.version = FirstWord(line.substr(8));
  }
  for (const std::string_view line : Lines(answers.help)) {
    if (const std::string_view flag = FlagOnLine(line); !flag.empty()) {
      facts.flags.emplace(flag);
    }
  }
  facts.replay_modes = ValuesOf(answers.help, "--replay-mode");
  facts.filter_modes = ValuesOf(answers.help, "--filter-mode");
  facts.sets = FirstColumn(answers.sets);
  facts.set_metrics = SetMetrics(answers.sets, facts.sets);
  facts.sections = FirstColumn(answers.sections);
  facts.metrics = MetricNames(answers.metrics);
  return facts;
}

NcuFacts AskNcu(pipeline::ToolAnswers& tools, bool with_metrics) {
  std::string unanswered;
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "ncu");
    Result<std::string> text = tools.Ask(arguments);
    if (text.ok()) return std::move(text).value();
    if (text.error().code() == ErrorCode::kTool) unanswered = text.error().message();
    return std::string();
  };
  NcuAnswers answers = {.version = ask({"--version"}),
                        .help = ask({"--help"}),
                        .sets = ask({"--list-sets"}),
                        .sections = ask({"--list-sections"}),
                        .metrics = {}};
  if (with_metrics) {
    answers.metrics = ask({"--query-metrics"});
    if (MetricNames(answers.metrics).empty()) {
      answers.metrics = ask({"--query-metrics", "--chips", kCommonChip});
    }
  }
  NcuFacts facts = ParseNcuFacts(answers);
  facts.unanswered = unanswered;
  return facts;
}

}  // namespace ridgeline::stages
