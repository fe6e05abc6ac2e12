#include "pipeline/config_keys.h"

#include <fmt/format.h>

#include <charconv>

namespace ridgeline::pipeline {
namespace {

using enum ValueKind;

std::string ChoiceList(std::string_view choices) {
  return fmt::format("{}", fmt::join(SplitChoices(choices), ", "));
}

std::string ExpectedText(const ConfigKey& key) {
  if (!key.expected.empty()) return std::string(key.expected);
  return key.choices.empty() ? "text" : "one of " + ChoiceList(key.choices);
}

std::string ExpectedKind(const ConfigKey& key) {
  const std::string of = key.choices.empty() ? "" : " of " + ChoiceList(key.choices);
  switch (key.kind) {
    case kBool:
      return "true or false";
    case kInteger:
      return "an integer";
    case kNumber:
      return "a number";
    case kText:
      return ExpectedText(key);
    case kTextList:
      return of.empty() ? "a list of strings" : "a list" + of;
    case kTextOrList:
      return "a list" + (of.empty() ? " of strings" : of) +
             " or a comma-separated string";
    case kArguments:
      return "a list of strings and numbers";
    case kMapping:
      return "a mapping";
    case kMappingList:
      return "a list of mappings";
  }
  return "";
}

}  // namespace

std::string Expected(const ConfigKey& key) {
  std::string text = ExpectedKind(key);
  if (key.min) text += fmt::format(" >= {}", *key.min);
  if (key.above) text += fmt::format(" > {}", *key.above);
  if (key.nullable) text += " or null";
  return text;
}

std::vector<std::string> SplitChoices(std::string_view choices) {
  std::vector<std::string> words;
  while (!choices.empty()) {
    const size_t end = std::min(choices.find('|'), choices.size());
    words.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return words;
}

bool IsCount(std::string_view text) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && text.front() != '-';
}

}  // namespace ridgeline::pipeline
