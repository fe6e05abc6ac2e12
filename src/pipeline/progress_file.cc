#include <charconv>
#include <cmath>

#include "pipeline/stage_context.h"

namespace ridgeline::pipeline {
namespace {

std::string_view TakeWord(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::optional<double> Number(std::string_view word) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  if (!whole || !std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Progress> ParseProgress(std::string_view text) {
  const std::optional<double> done = Number(TakeWord(text));
  if (!done) return std::nullopt;
  Progress progress{.done = *done, .total = {}, .unit = {}};
  progress.total = Number(TakeWord(text));
  constexpr size_t kMaxUnit = 16;  // Must fit on one terminal line.
  for (const char c : TakeWord(text).substr(0, kMaxUnit)) {
    if (c > ' ' && c < '\x7f') progress.unit += c;
  }
  return progress;
}

}  // namespace ridgeline::pipeline
