#include "base/value_span.h"

#include <algorithm>
#include <string>

namespace ridgeline {
namespace {

constexpr std::string_view kOpening = "([{";

// Whether another parameter or command begins after the & or ; at `at`: "?token=X&y=1",
// "Password=X;Server=y", "TOKEN=X; ./serve". Otherwise it is part of the value.
bool EndsParameter(std::string_view text, size_t at) {
  if (text[at] != '&' && text[at] != ';') return false;
  const std::string_view rest = text.substr(at + 1);
  if (rest.empty() || IsBlank(rest.front()) || rest.front() == text[at]) return true;
  const auto* const end = std::find_if_not(rest.begin(), rest.end(), IsNameCharacter);
  return end != rest.begin() && end != rest.end() && *end == '=';
}

char ClosingOf(char opening) { return opening == '(' ? ')' : opening == '[' ? ']' : '}'; }

// The position after the bracket that closes the one at `at`; the end of the line if
// there is none.
size_t EndOfBracket(std::string_view text, size_t at) {
  const size_t line = std::min(text.find_first_of("\r\n", at), text.size());
  std::string open;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (kOpening.find(c) != std::string_view::npos) {
      open += ClosingOf(c);
    } else if (c == open.back()) {
      open.pop_back();
    } else if (IsQuote(c)) {
      const size_t end = ValueAt(text, at).end;
      if (end < text.size()) at = end;  // Otherwise an apostrophe.
    }
    if (open.empty()) return at + 1;
  }
  return line;
}

// End of one choice, including its quotes and brackets.
size_t EndOfChoice(std::string_view text, size_t at) {
  if (at < text.size() && IsQuote(text[at])) {
    return std::min(ValueAt(text, at).end + 1, text.size());
  }
  size_t end = EndOfWord(text, at);
  for (size_t bracket = text.find_first_of(kOpening, at); bracket < end;
       bracket = text.find_first_of(kOpening, at)) {
    at = EndOfBracket(text, bracket);
    end = EndOfWord(text, at);
  }
  return end;
}

// "+a.b=", "hydra/launcher=": the next override, not a choice.
bool BeginsOverride(std::string_view text, size_t at) {
  const auto is_key = [](char c) {
    return IsNameCharacter(c) || std::string_view("+~/@:$").find(c) != std::string::npos;
  };
  while (at < text.size() && is_key(text[at])) ++at;
  return at < text.size() && text[at] == '=';
}

// In a list, a comma separates items: "[env,TOKEN=X,./serve]".
bool IsInList(std::string_view text, size_t at) {
  const size_t line = text.substr(0, at).find_last_of("\r\n");
  int depth = 0;
  for (size_t i = line == std::string_view::npos ? 0 : line + 1; i < at; ++i) {
    if (kOpening.find(text[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(text[i]) != std::string_view::npos) --depth;
  }
  return depth > 0;
}

// End of all choices; `at` is the end of the first one.
size_t EndOfChoices(std::string_view text, size_t at) {
  while (true) {
    const size_t comma = SkipBlanks(text, at);
    if (comma >= text.size() || text[comma] != ',') return at;
    const size_t next = SkipBlanks(text, comma + 1);
    if (BeginsOverride(text, next)) return at;
    const size_t end = EndOfChoice(text, next);
    if (end == next) return at;
    at = end;
  }
}

}  // namespace

size_t SkipBlanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

size_t EndOfWord(std::string_view text, size_t at) {
  constexpr std::string_view kEnds = " \t\r\n,'\"]})>";
  while (at < text.size() && kEnds.find(text[at]) == std::string_view::npos &&
         !EndsParameter(text, at)) {
    ++at;
  }
  return at;
}

TextSpan ValueAt(std::string_view text, size_t begin) {
  // \" in JSON within JSON, or in a quoted shell word.
  const size_t escapes = std::min(text.find_first_not_of('\\', begin), text.size());
  if (escapes < text.size() && IsQuote(text[escapes])) {
    const char quote = text[escapes];
    size_t end = escapes + 1;
    while (end < text.size() && text[end] != quote) {
      end += text[end] == '\\' && escapes == begin ? 2 : 1;
    }
    end = std::min(end, text.size());
    if (escapes > begin && end > escapes + 1 && text[end - 1] == '\\') --end;
    return {escapes + 1, end};
  }
  return {begin, EndOfWord(text, begin)};
}

TextSpan WholeValue(std::string_view text, size_t name_end, const TextSpan& first) {
  if (first.begin <= name_end) return first;
  const bool is_quoted = IsQuote(text[first.begin - 1]);
  const std::string_view sign = text.substr(name_end, first.begin - name_end);
  const bool is_override = sign.find('=') != std::string_view::npos;
  if (!is_override && sign.find(':') == std::string_view::npos) return first;
  TextSpan value = {first.begin - (is_quoted ? 1 : 0), 0};
  const bool is_escaped = is_quoted && sign.find('\\') != std::string_view::npos;
  value.end =
      is_escaped ? first.end : std::max(first.end, EndOfChoice(text, value.begin));
  const size_t end = value.end;
  if (is_override && !IsInList(text, name_end)) value.end = EndOfChoices(text, end);
  return is_quoted && value.end == end ? first : value;
}

std::vector<std::string_view> ChoicesOf(std::string_view value) {
  std::vector<std::string_view> choices;
  while (true) {
    size_t end = 0;
    while (end < value.size() && value[end] != ',') {
      end = value[end] == '{' ? EndOfBracket(value, end) : end + 1;
    }
    choices.push_back(value.substr(0, end));
    if (end >= value.size()) return choices;
    value.remove_prefix(end + 1);
    value.remove_prefix(SkipBlanks(value, 0));
  }
}

}  // namespace ridgeline
