#include "config/overrides/override_lexer.h"

#include <algorithm>

#include "base/characters.h"

namespace ridgeline::config {
namespace {

bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }
bool IsNameChar(char c) { return IsNameStart(c) || IsDigit(c) || c == '-'; }

// The Scan functions return the end of the match, or `at` if there is none.

size_t ScanBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

// "1", "1_000": an underscore only between digits.
size_t ScanDigits(std::string_view text, size_t at) {
  if (at >= text.size() || !IsDigit(text[at])) return at;
  for (++at; at < text.size(); ++at) {
    if (IsDigit(text[at])) continue;
    if (text[at] == '_' && at + 1 < text.size() && IsDigit(text[at + 1])) continue;
    break;
  }
  return at;
}

// As ScanDigits, but a leading zero is a token by itself: "007" is three numbers.
size_t ScanUnsigned(std::string_view text, size_t at) {
  if (at < text.size() && text[at] == '0') return at + 1;
  return ScanDigits(text, at);
}

size_t ScanExponent(std::string_view text, size_t at) {
  if (at >= text.size() || ToLower(text[at]) != 'e') return at;
  size_t digits = at + 1;
  if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
  const size_t end = ScanDigits(text, digits);
  return end == digits ? at : end;
}

// A name; '$' is allowed in keys.
size_t ScanKeyWord(std::string_view text, size_t at) {
  if (at >= text.size() || !(IsNameStart(text[at]) || text[at] == '$')) return at;
  while (at < text.size() && (IsNameChar(text[at]) || text[at] == '$')) ++at;
  return at;
}

size_t ScanKeyPart(std::string_view text, size_t at) {
  const size_t end = ScanKeyWord(text, at);
  return end != at ? end : ScanUnsigned(text, at);
}

// The longest match for "a.b.0"; a trailing dot is left to the next token.
Token LexKeyPath(std::string_view text, size_t at) {
  const size_t word_end = ScanKeyWord(text, at);
  size_t end = ScanKeyPart(text, at);
  bool dotted = false;
  while (end != at && end < text.size() && text[end] == '.') {
    const size_t part_end = ScanKeyPart(text, end + 1);
    if (part_end == end + 1) break;
    end = part_end;
    dotted = true;
  }
  if (dotted) return {TokenKind::kDotPath, at, end};
  if (word_end == at) return {TokenKind::kInvalid, at, at + 1};
  const bool special = text.substr(at, word_end - at).find('$') != std::string_view::npos;
  return {special ? TokenKind::kKeySpecial : TokenKind::kName, at, word_end};
}

Token LexKeyToken(std::string_view text, size_t at) {
  switch (text[at]) {
    case '=':
      return {TokenKind::kEqual, at, ScanBlanks(text, at + 1)};
    case '~':
      return {TokenKind::kTilde, at, at + 1};
    case '+':
      return {TokenKind::kPlus, at, at + 1};
    case '@':
      return {TokenKind::kAt, at, at + 1};
    case ':':
      return {TokenKind::kColon, at, at + 1};
    case '/':
      return {TokenKind::kSlash, at, at + 1};
    default:
      return LexKeyPath(text, at);
  }
}

// "1", "-1.5e3", "+.5", "-inf"; an unquoted '-' or '.' if no number follows.
Token LexNumber(std::string_view text, size_t at) {
  const size_t start = text[at] == '+' || text[at] == '-' ? at + 1 : at;
  const std::string_view word = text.substr(std::min(start, text.size()), 3);
  if (EqualsIgnoringCase(word, "inf") || EqualsIgnoringCase(word, "nan")) {
    return {TokenKind::kFloat, at, start + 3};
  }
  const size_t whole_end = ScanUnsigned(text, start);
  size_t end = whole_end;
  if (end < text.size() && text[end] == '.') {
    const size_t fraction_end = ScanDigits(text, end + 1);
    // "1." is a number, "." alone is not.
    if (fraction_end != end + 1 || whole_end != start) end = fraction_end;
  }
  if (end == start) return {TokenKind::kUnquotedChar, at, at + 1};
  const size_t exponent_end = ScanExponent(text, end);
  if (exponent_end == whole_end) return {TokenKind::kInt, at, whole_end};
  return {TokenKind::kFloat, at, exponent_end};
}

Token LexWord(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  TokenKind kind = TokenKind::kName;
  if (EqualsIgnoringCase(word, "true") || EqualsIgnoringCase(word, "false")) {
    kind = TokenKind::kBool;
  } else if (EqualsIgnoringCase(word, "null")) {
    kind = TokenKind::kNull;
  } else if (EqualsIgnoringCase(word, "inf") || EqualsIgnoringCase(word, "nan")) {
    kind = TokenKind::kFloat;
  }
  return {kind, at, end};
}

Token LexBackslash(std::string_view text, size_t at) {
  constexpr std::string_view kEscapable = "\\()[]{}:=, \t";
  size_t end = at;
  while (end + 1 < text.size() && text[end] == '\\' &&
         kEscapable.find(text[end + 1]) != std::string_view::npos) {
    end += 2;
  }
  if (end == at) return {TokenKind::kUnquotedChar, at, at + 1};
  return {TokenKind::kEscape, at, end};
}

// "${" up to the first "}": nested interpolations must be quoted. `last_brace` is the
// offset of the last '}' (0 if there is none); it keeps a text with a million "${" from
// being scanned a million times.
Token LexDollar(std::string_view text, size_t at, size_t last_brace) {
  if (at + 2 < last_brace && text[at + 1] == '{' && text[at + 2] != '}') {
    return {TokenKind::kInterpolation, at, text.find('}', at + 2) + 1};
  }
  return {TokenKind::kUnquotedChar, at, at + 1};
}

// Ends at the first quote of its kind after an even number of backslashes.
Token LexQuoted(std::string_view text, size_t at) {
  size_t backslashes = 0;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == text[at] && backslashes % 2 == 0)
      return {TokenKind::kQuoted, at, i + 1};
    backslashes = text[i] == '\\' ? backslashes + 1 : 0;
  }
  return {TokenKind::kInvalid, at, text.size()};
}

// Separators and the whitespace they absorb: on both sides of ( , : and =, before closing
// brackets, after opening ones.
Token LexSeparator(std::string_view text, size_t begin, size_t at) {
  const auto both = [&](TokenKind kind) {
    return Token{kind, begin, ScanBlanks(text, at + 1)};
  };
  const auto before = [&](TokenKind kind) { return Token{kind, begin, at + 1}; };
  switch (text[at]) {
    case '(':
      return both(TokenKind::kParenOpen);
    case ',':
      return both(TokenKind::kComma);
    case ':':
      return both(TokenKind::kColon);
    case '=':
      return both(TokenKind::kEqual);
    case ')':
      return before(TokenKind::kParenClose);
    case ']':
      return before(TokenKind::kBracketClose);
    case '}':
      return before(TokenKind::kBraceClose);
    default:
      return {TokenKind::kInvalid, at, at + 1};
  }
}

Token LexBlanks(std::string_view text, size_t at) {
  const size_t end = ScanBlanks(text, at);
  if (end < text.size()) {
    const Token separator = LexSeparator(text, at, end);
    if (separator.kind != TokenKind::kInvalid) return separator;
  }
  return {TokenKind::kSpace, at, end};
}

Token LexValueToken(std::string_view text, size_t at, size_t last_brace) {
  const char c = text[at];
  if (IsNameStart(c)) return LexWord(text, at);
  if (IsDigit(c)) return LexNumber(text, at);
  switch (c) {
    case '+':
    case '-':
    case '.':
      return LexNumber(text, at);
    case ' ':
    case '\t':
      return LexBlanks(text, at);
    case '[':
      return {TokenKind::kBracketOpen, at, ScanBlanks(text, at + 1)};
    case '{':
      return {TokenKind::kBraceOpen, at, ScanBlanks(text, at + 1)};
    case '\\':
      return LexBackslash(text, at);
    case '$':
      return LexDollar(text, at, last_brace);
    case '\'':
    case '"':
      return LexQuoted(text, at);
    case '/':
    case '%':
    case '*':
    case '@':
    case '?':
    case '|':
      return {TokenKind::kUnquotedChar, at, at + 1};
    default:
      return LexSeparator(text, at, at);
  }
}

}  // namespace

std::vector<Token> LexOverride(std::string_view line) {
  std::vector<Token> tokens;
  tokens.reserve(16);
  const size_t found_brace = line.rfind('}');
  const size_t last_brace = found_brace == std::string_view::npos ? 0 : found_brace;
  bool in_value = false;
  size_t at = 0;
  while (at < line.size()) {
    tokens.push_back(in_value ? LexValueToken(line, at, last_brace)
                              : LexKeyToken(line, at));
    const Token& token = tokens.back();
    if (token.kind == TokenKind::kInvalid) return tokens;
    if (token.kind == TokenKind::kEqual) in_value = true;
    at = token.end;
  }
  tokens.push_back({TokenKind::kEnd, line.size(), line.size()});
  return tokens;
}

}  // namespace ridgeline::config
