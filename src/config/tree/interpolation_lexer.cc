#include "config/tree/interpolation_lexer.h"

#include <algorithm>
#include <string>

#include "base/characters.h"
#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

using Type = InterpolationTokenType;

bool IsIdStart(char c) { return IsLetter(c) || c == '_'; }
bool IsIdCharacter(char c) { return IsIdStart(c) || IsDigit(c) || c == '-'; }

// The character at `at`, or NUL past the end. No token of the calling modes contains NUL,
// so both mean "no match".
char At(std::string_view text, size_t at) { return at < text.size() ? text[at] : '\0'; }

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

size_t SkipId(std::string_view text, size_t at) {
  if (at >= text.size() || !IsIdStart(text[at])) return at;
  while (at < text.size() && IsIdCharacter(text[at])) ++at;
  return at;
}

// DIGIT ('_'? DIGIT)*; the first digit may already be consumed.
size_t SkipMoreDigits(std::string_view text, size_t at) {
  while (true) {
    if (IsDigit(At(text, at))) {
      ++at;
    } else if (At(text, at) == '_' && IsDigit(At(text, at + 1))) {
      at += 2;
    } else {
      return at;
    }
  }
}

size_t SkipDigits(std::string_view text, size_t at) {
  return IsDigit(At(text, at)) ? SkipMoreDigits(text, at + 1) : at;
}

// 0 or 1_000; "007" is three numbers.
size_t SkipUnsigned(std::string_view text, size_t at) {
  return At(text, at) == '0' ? at + 1 : SkipDigits(text, at);
}

bool StartsWithWord(std::string_view text, std::string_view lower_word) {
  if (text.size() < lower_word.size()) return false;
  for (size_t i = 0; i < lower_word.size(); ++i) {
    // Setting this bit lowercases ASCII letters and does not turn any other character
    // into a letter.
    if ((text[i] | 0x20) != lower_word[i]) return false;
  }
  return true;
}

struct NumberMatch {
  Type type = Type::kInt;
  size_t length = 0;  // 0: not a number.
};

// -1_000  1.5  .5  5.  1e3  +inf  nan
NumberMatch MatchNumber(std::string_view text) {
  const size_t start = At(text, 0) == '+' || At(text, 0) == '-' ? 1 : 0;
  const std::string_view unsigned_text = text.substr(start);
  if (StartsWithWord(unsigned_text, "inf") || StartsWithWord(unsigned_text, "nan")) {
    return {Type::kFloat, start + 3};
  }
  const size_t whole_end = SkipUnsigned(text, start);
  const bool has_whole = whole_end > start;
  NumberMatch number{Type::kInt, has_whole ? whole_end : 0};
  size_t end = whole_end;
  if (At(text, end) == '.' && (has_whole || IsDigit(At(text, end + 1)))) {
    end = SkipDigits(text, end + 1);
    number = {Type::kFloat, end};
  }
  if (number.length == 0 || (At(text, end) | 0x20) != 'e') return number;
  const size_t exponent =
      end + (At(text, end + 1) == '+' || At(text, end + 1) == '-' ? 2 : 1);
  const size_t exponent_end = SkipDigits(text, exponent);
  return exponent_end > exponent ? NumberMatch{Type::kFloat, exponent_end} : number;
}

// The token type of a word: an ID unless it is reserved.
Type WordType(std::string_view word) {
  if (word.size() == 3 && (StartsWithWord(word, "inf") || StartsWithWord(word, "nan"))) {
    return Type::kFloat;
  }
  if (word.size() == 4 && StartsWithWord(word, "null")) return Type::kNull;
  if (word.size() == 4 && StartsWithWord(word, "true")) return Type::kBool;
  if (word.size() == 5 && StartsWithWord(word, "false")) return Type::kBool;
  return Type::kId;
}

// Pairs of a backslash and the character it escapes: \\ \( \, ...
size_t SkipEscapes(std::string_view text) {
  constexpr std::string_view kEscapable = "\\()[]{}:=, \t";
  size_t at = 0;
  while (at + 1 < text.size() && text[at] == '\\' &&
         kEscapable.find(text[at + 1]) != std::string_view::npos) {
    at += 2;
  }
  return at;
}

bool IsKeyCharacter(char c) {
  constexpr std::string_view kSpecial = "\\{}()[]:. \t'\"";
  return kSpecial.find(c) == std::string_view::npos;
}

bool StartsInterpolation(std::string_view text) {
  return text.size() >= 2 && text[0] == '$' && text[1] == '{';
}

}  // namespace

std::string InMessage(std::string_view text) {
  std::string message = "'";
  for (const char c : text) {
    switch (c) {
      case '\n':
        message += "\\n";
        break;
      case '\t':
        message += "\\t";
        break;
      case '\r':
        message += "\\r";
        break;
      default:
        message += c;
    }
  }
  return message + "'";
}

// Plain text, or a quoted string if `quote` is not NUL. A text token never ends in a
// backslash: backslashes before "${", before the closing quote and at the end are
// separate tokens.
InterpolationLexer::Match InterpolationLexer::MatchText(std::string_view rest,
                                                        char quote) const {
  if (StartsInterpolation(rest)) {
    return {Type::kInterOpen, SkipBlanks(rest, 2), Step::kPush, Mode::kInterpolation};
  }
  if (rest[0] == '$') return {Type::kAnyText, 1};
  const bool quoted = quote != '\0';
  if (quoted && rest[0] == quote) return {Type::kQuoteClose, 1, Step::kPop};

  const char stops[] = {'$', quote};
  const size_t stop = rest.find_first_of(std::string_view(stops, quoted ? 2 : 1));
  const size_t run = std::min(stop, rest.size());
  const size_t last_other = rest.substr(0, run).find_last_not_of('\\');
  if (last_other != std::string_view::npos) return {Type::kAnyText, last_other + 1};

  // Only backslashes before the stop.
  if (run % 2 == 0) {
    return {quoted ? Type::kQuotedBackslashes : Type::kTopBackslashes, run};
  }
  if (StartsInterpolation(rest.substr(run))) return {Type::kEscapedInter, run + 2};
  if (quoted && run < rest.size() && rest[run] == quote) return {Type::kEscape, run + 1};
  return {Type::kAnyText, run};
}

InterpolationLexer::Match InterpolationLexer::MatchValue(std::string_view rest) const {
  const size_t blanks = SkipBlanks(rest, 0);
  switch (At(rest, blanks)) {
    case '}':
      return {Type::kBraceClose, blanks + 1, Step::kPop};
    case ']':
      return {Type::kBracketClose, blanks + 1};
    case ',':
      return {Type::kComma, SkipBlanks(rest, blanks + 1)};
    case ':':
      return {Type::kColon, SkipBlanks(rest, blanks + 1)};
    default:
      break;
  }
  if (blanks > 0) return {Type::kWhitespace, blanks};

  if (const size_t id = SkipId(rest, 0); id > 0)
    return {WordType(rest.substr(0, id)), id};
  if (const NumberMatch number = MatchNumber(rest); number.length > 0) {
    return {number.type, number.length};
  }
  switch (rest[0]) {
    case '{':
      return {Type::kBraceOpen, SkipBlanks(rest, 1), Step::kPush, Mode::kValue};
    case '[':
      return {Type::kBracketOpen, SkipBlanks(rest, 1)};
    case '\'':
      return {Type::kQuoteOpen, 1, Step::kPush, Mode::kQuotedSingle};
    case '"':
      return {Type::kQuoteOpen, 1, Step::kPush, Mode::kQuotedDouble};
    default:
      break;
  }
  if (StartsInterpolation(rest)) {
    return {Type::kInterOpen, SkipBlanks(rest, 2), Step::kPush, Mode::kInterpolation};
  }
  if (const size_t escapes = SkipEscapes(rest); escapes > 0) {
    return {Type::kEscape, escapes};
  }
  constexpr std::string_view kUnquoted = "/-\\+.$%*@?|";
  if (kUnquoted.find(rest[0]) != std::string_view::npos) return {Type::kUnquotedChar, 1};
  return {Type::kEnd, kNoToken};
}

// Inside ${...}, up to the colon if there is one.
InterpolationLexer::Match InterpolationLexer::MatchKey(std::string_view rest) const {
  const size_t blanks = SkipBlanks(rest, 0);
  switch (At(rest, blanks)) {
    case '}':
      return {Type::kInterClose, blanks + 1, Step::kPop};
    case ':':
      return {Type::kColon, SkipBlanks(rest, blanks + 1), Step::kReplace, Mode::kValue};
    default:
      break;
  }
  switch (rest[0]) {
    case '.':
      return {Type::kDot, 1};
    case '[':
      return {Type::kBracketOpen, 1};
    case ']':
      return {Type::kBracketClose, 1};
    default:
      break;
  }
  if (StartsInterpolation(rest)) {
    return {Type::kInterOpen, SkipBlanks(rest, 2), Step::kPush, Mode::kInterpolation};
  }
  const size_t id = SkipId(rest, 0);
  size_t key = id;
  while (key < rest.size() && IsKeyCharacter(rest[key])) ++key;
  if (key > id) return {Type::kInterKey, key};
  return {Type::kId, id};  // Length 0 means there is no token.
}

InterpolationLexer::Match InterpolationLexer::MatchHere() const {
  const std::string_view rest = text_.substr(position_);
  switch (mode_) {
    case Mode::kText:
      return MatchText(rest, '\0');
    case Mode::kQuotedSingle:
      return MatchText(rest, '\'');
    case Mode::kQuotedDouble:
      return MatchText(rest, '"');
    case Mode::kValue:
      return MatchValue(rest);
    case Mode::kInterpolation:
      break;
  }
  return MatchKey(rest);
}

// ANTLR shows the characters up to the one where it failed.
Error InterpolationLexer::NotAToken() const {
  size_t end = SkipBlanks(text_, position_);
  if (end < text_.size()) end += DecodeUtf8(text_, end).length;
  return {ErrorKind::kGrammarParse,
          "token recognition error at: " +
              InMessage(text_.substr(position_, end - position_))};
}

Result<InterpolationToken> InterpolationLexer::Next() {
  if (position_ == text_.size()) {
    return InterpolationToken{Type::kEnd, position_, position_};
  }
  const Match match = MatchHere();
  if (match.length == kNoToken) return NotAToken();
  switch (match.step) {
    case Step::kStay:
      break;
    case Step::kPush:
      if (depth_ == kMaxDepth) {
        return Error(ErrorKind::kGrammarParse, "interpolation nested too deeply");
      }
      outer_modes_[depth_++] = mode_;
      mode_ = match.mode;
      break;
    case Step::kPop:
      if (depth_ == 0) return Error(ErrorKind::kGrammarParse, "Empty Stack");
      mode_ = outer_modes_[--depth_];
      break;
    case Step::kReplace:
      mode_ = match.mode;
      break;
  }
  const size_t begin = position_;
  position_ += match.length;
  return InterpolationToken{match.type, begin, position_};
}

}  // namespace ridgeline::config
