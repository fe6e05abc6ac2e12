#include <algorithm>
#include <charconv>

#include "hardware/system_files.h"

namespace ridgeline::hardware {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = Trimmed(text)).empty()) {
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    words.push_back(word);
    text.remove_prefix(word.size());
  }
  return words;
}

std::optional<std::string_view> Field(std::string_view text, std::string_view key,
                                      char separator) {
  for (std::string_view line : Lines(text)) {
    if (!line.starts_with(key)) continue;
    // "model" is not the key of "model name : AMD EPYC".
    line = Trimmed(line.substr(key.size()));
    if (line.starts_with(separator)) return Trimmed(line.substr(1));
  }
  return std::nullopt;
}

std::optional<int64_t> ParseInteger(std::string_view text, int base) {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, number, base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<int> CountList(std::string_view list) {
  int64_t count = 0;
  while (!list.empty()) {
    const std::string_view range = list.substr(0, list.find(','));
    const size_t dash = range.find('-');
    const auto first = ParseInteger(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : ParseInteger(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
    count += *last - *first + 1;
    list.remove_prefix(std::min(range.size() + 1, list.size()));
  }
  if (count == 0 || count > INT32_MAX) return std::nullopt;
  return static_cast<int>(count);
}

}  // namespace ridgeline::hardware
