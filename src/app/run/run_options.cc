#include "app/run/run_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/command_support.h"
#include "app/flags.h"
#include "app/run/workload_input.h"

namespace ridgeline::app {
namespace {

using Takes = Flag::Takes;

Status CheckResume(const RunOptions& options) {
  if (options.resume.empty()) return Ok();
  if (!options.hydra.overrides.empty()) {
    return UsageError(
        "--resume uses the configuration of the run and takes no overrides ('" +
        options.hydra.overrides.front() + "')");
  }
  if (options.hydra.action != HydraOptions::Action::kRun || options.dry_run) {
    return UsageError(
        "--resume cannot be combined with --multirun, --cfg, --info or "
        "--dry-run");
  }
  return Ok();
}

// `run [flags] [overrides] -- PROGRAM [ARGUMENTS...]`
void AddCommand(std::span<const std::string> words, RunOptions& options) {
  options.has_command = true;
  options.hydra.overrides.push_back(CommandOverride(words));
}

constexpr std::string_view kCommandKey = "pipeline.workload.command";

}  // namespace

std::string CommandOverride(std::span<const std::string> words) {
  std::string list;
  for (const std::string& word : words) {
    list += (list.empty() ? "" : ",") + QuotedWord(word);
  }
  return fmt::format("{}=[{}]", kCommandKey, list);
}

std::string WithoutCommandKey(std::string_view message) {
  const std::string key = fmt::format("{}: ", kCommandKey);
  if (message.starts_with(key)) message.remove_prefix(key.size());
  return std::string(message);
}

std::string QuotedWord(std::string_view word) {
  std::string text = "'";
  size_t backslashes = 0;  // Directly before the current character.
  for (size_t i = 0; i < word.size(); ++i) {
    const bool is_quote = word[i] == '\'';
    const bool begins_interpolation = word.substr(i).starts_with("${");
    // A backslash is special only there, and doubled only there.
    if (is_quote || begins_interpolation) text += std::string(backslashes, '\\') + '\\';
    text += word[i];
    backslashes = word[i] == '\\' ? backslashes + 1 : 0;
  }
  return text + std::string(backslashes, '\\') + "'";
}

std::span<const Flag> RunFlags() {
  static const std::vector<Flag> flags = {
      {"--dry-run", "-n", Takes::kNothing, "",
       "Print the plan with every command line; start nothing"},
      {"--resume", "", Takes::kValue, "DIR", "Continue the unfinished run in DIR"},
      {"--quiet", "-q", Takes::kNothing, "", "Errors only"},
      {"--verbose", "-v", Takes::kNothing, "", "Show commands and their output"},
      {"--json", "", Takes::kNothing, "",
       "Print events as JSON Lines; with --dry-run, the plan"},
      // Set by --multirun: this run is a job of a sweep. Without help, it is not listed.
      {"--sweep-job", "", Takes::kNothing, "", ""},
  };
  return flags;
}

Result<RunOptions> ParseRunOptions(std::span<const std::string> arguments) {
  std::vector<Flag> flags(HydraFlags().begin(), HydraFlags().end());
  flags.insert(flags.end(), RunFlags().begin(), RunFlags().end());
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const std::span<const std::string> before(arguments.begin(), dashes);
  const Result<ParsedFlags> read = ParseFlags(flags, before);
  if (!read.ok()) {
    // Without "--", the flags of a program are taken for ours.
    const std::string hint = dashes == arguments.end() ? HintForProgram(before) : "";
    return hint.empty() ? read.error() : UsageError(read.error().message() + "\n" + hint);
  }
  const ParsedFlags& parsed = read.value();
  RunOptions options;
  RIDGELINE_TRY(options.hydra, HydraOptionsOf(parsed));
  options.arguments.assign(arguments.begin(), arguments.end());
  if (parsed.Has("--quiet") && parsed.Has("--verbose")) {
    return UsageError("--quiet and --verbose are mutually exclusive");
  }
  options.hydra.is_quiet = parsed.Has("--quiet");
  if (parsed.Has("--quiet")) options.verbosity = RunOptions::Verbosity::kQuiet;
  if (parsed.Has("--verbose")) options.verbosity = RunOptions::Verbosity::kVerbose;
  options.json = parsed.Has("--json");
  options.dry_run = parsed.Has("--dry-run");
  options.run_was_asked_for = parsed.Has("--run");
  options.sweep_job = parsed.Has("--sweep-job");
  options.resume = parsed.Get("--resume");
  if (parsed.Has("--resume") && options.resume.empty()) {
    return UsageError("--resume needs a run directory");
  }
  RIDGELINE_RETURN_IF_ERROR(CheckResume(options));
  if (dashes != arguments.end()) {
    const std::span<const std::string> words(dashes + 1, arguments.end());
    if (words.empty()) {
      return UsageError("nothing after --; e.g. ridgeline run -- python generate.py");
    }
    if (!options.resume.empty()) {
      return UsageError("--resume runs the program of that run and takes no other one");
    }
    AddCommand(words, options);
  }
  FindInput(options);
  return options;
}

}  // namespace ridgeline::app
