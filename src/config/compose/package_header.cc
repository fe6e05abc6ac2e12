#include "config/compose/package_header.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

// Hydra reads only this many characters, so a header that crosses the limit is truncated.
constexpr size_t kHeaderCharacters = 512;

// The line breaks of str.splitlines().
bool EndsLine(char32_t code) {
  return (code >= 0x0A && code <= 0x0D) || (code >= 0x1C && code <= 0x1E) ||
         code == 0x85 || code == 0x2028 || code == 0x2029;
}

// Yields the first lines one by one: nearly all files have no header and need only the
// first. "\r\n" counts as one character, as in Python.
class HeaderLines {
 public:
  explicit HeaderLines(std::string_view text) : text_(text) {}

  std::optional<std::string_view> Next() {
    const size_t begin = position_;
    while (count_ < kHeaderCharacters && position_ < text_.size()) {
      const size_t at = position_;
      const Utf8Character character = DecodeUtf8(text_, at);
      const bool pair = text_.substr(at).starts_with("\r\n");
      position_ += pair ? 2 : character.length;
      ++count_;
      if (character.valid && EndsLine(character.code))
        return text_.substr(begin, at - begin);
    }
    if (begin == position_) return std::nullopt;
    return text_.substr(begin, position_ - begin);
  }

 private:
  std::string_view text_;
  size_t position_ = 0;
  size_t count_ = 0;
};

std::string_view StripLeft(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character first = DecodeUtf8(text, 0);
    if (!first.valid || !IsSpace(first.code)) break;
    text.remove_prefix(first.length);
  }
  return text;
}

std::string_view StripRight(std::string_view text) {
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && IsInsideCharacter(text[last])) --last;
    const Utf8Character character = DecodeUtf8(text, last);
    if (!character.valid || !IsSpace(character.code)) break;
    text = text.substr(0, last);
  }
  return text;
}

std::string_view Strip(std::string_view text) { return StripRight(StripLeft(text)); }

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t space = line.find(' ');
    if (space != 0) words.push_back(line.substr(0, space));
    line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
  }
  return words;
}

}  // namespace

Result<std::optional<std::string>> ParsePackageHeader(std::string_view text) {
  // An editor's; Hydra would ignore the header after it, without a word.
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  std::optional<std::string> package;
  HeaderLines lines(text);
  while (const std::optional<std::string_view> next = lines.Next()) {
    std::string_view line = Strip(*next);
    if (line.empty()) continue;
    if (!line.starts_with('#')) break;
    line = StripLeft(line.substr(1));
    if (!line.starts_with('@')) break;
    const std::vector<std::string_view> words = Words(line);
    if (words.size() < 2) {
      return Error(ErrorKind::kValue,
                   "Expected header format: KEY VALUE, got '" + std::string(line) + "'");
    }
    if (words.size() > 2) {
      return Error(ErrorKind::kValue,
                   "Too many components in '" + std::string(line) + "'");
    }
    if (Strip(words[0]) == "@package") package = Strip(words[1]);
  }
  return package;
}

}  // namespace ridgeline::config
