#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/command_support.h"
#include "os/command.h"
#include "os/files.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {
namespace {

// The text between two others; empty if they do not occur.
std::string_view Between(std::string_view text, std::string_view before,
                         std::string_view after) {
  const size_t start = text.find(before);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + before.size());
  const size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

// "+dataset/sampling@dataset.sampling=default": the group named in it.
std::string_view GroupOf(std::string_view text) {
  while (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return text.substr(0, text.find_first_of("@="));
}

std::string_view ValueOf(std::string_view text) {
  const size_t equal = text.find('=');
  return equal == std::string_view::npos ? std::string_view{} : text.substr(equal + 1);
}

// The entry of the defaults list that an error message of Hydra is about, spelled as
// needed to override it: "dataset/sampling", "profiling/ncu@pipeline.ncu".
std::string_view EntryInList(std::string_view message) {
  constexpr std::string_view kTwice =
      " appears more than once in the final defaults list";
  if (const size_t at = message.find(kTwice); at != std::string_view::npos) {
    return message.substr(0, at);
  }
  if (message.starts_with("Multiple values for ")) {
    return Between(message, "Multiple values for ", ". To override");
  }
  return Between(message, "Did you mean to override ", "?\n");
}

// Whether an error message is about the syntax of an override without a '=', which the
// message has in its second line: "sh", "/bin/ls", "./x.py".
bool IsAboutAWord(std::string_view message, const std::vector<std::string>& overrides) {
  const std::string_view word = Between(message, "\n", "\n");
  return word.find('=') == word.npos &&
         std::find(overrides.begin(), overrides.end(), word) != overrides.end();
}

}  // namespace

std::string HintForProgram(std::span<const std::string> words) {
  const auto program = std::find_if(words.begin(), words.end(), [](const auto& word) {
    return !word.starts_with('-') && word.find('=') == word.npos &&
           (os::FindProgram(word).ok() || os::IsRegularFile(word));
  });
  if (program == words.end()) return "";
  std::string command = "ridgeline run";
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (word == program) command += " --";
    command += " " + os::ShellQuoted(*word);
  }
  return "hint: to profile a program: " + command;
}

std::string HintForOverride(const config::Error& error,
                            const std::vector<std::string>& overrides) {
  if (IsAboutAWord(error.message, overrides)) return HintForProgram(overrides);
  const std::string_view key = Between(error.message, "Could not override '", "'");
  if (key == "runner" || key == "runners") {
    return fmt::format("Options of the earlier group {}: {}", key,
                       pipeline::OldRunnerNames());
  }
  const std::string_view entry = EntryInList(error.message);
  if (entry.empty()) return "";
  for (const std::string& text : overrides) {
    if (GroupOf(text) != GroupOf(entry) || ValueOf(text).empty()) continue;
    return fmt::format("The group is already in the defaults list: use {}={}", entry,
                       ValueOf(text));
  }
  return "";
}

}  // namespace ridgeline::app
