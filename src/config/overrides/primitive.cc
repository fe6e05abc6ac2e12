#include "config/overrides/primitive.h"

#include <algorithm>
#include <optional>
#include <string>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

// sys.get_int_max_str_digits(): Python rejects longer integers.
constexpr size_t kPythonMaxDigits = 4300;

std::string_view TextOf(std::string_view line, const Token& token) {
  return line.substr(token.begin, token.end - token.begin);
}

// "\,\ " is ", ": every other character.
void AppendUnescaped(std::string_view text, std::string& out) {
  for (size_t i = 1; i < text.size(); i += 2) out += text[i];
}

ridgeline::Result<Scalar, std::string> MakeInt(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  const size_t signs = digits[0] == '+' || digits[0] == '-' ? 1 : 0;
  const size_t count = digits.size() - signs;
  if (count > kPythonMaxDigits) {
    return "Exceeds the limit (4300 digits) for integer string conversion: value has " +
           std::to_string(count) +
           " digits; use sys.set_int_max_str_digits() to increase the limit";
  }
  return Scalar(Integer::Parse(digits).value_or(Integer(0)));
}

ridgeline::Result<Scalar, std::string> MakeSingle(std::string_view text, TokenKind kind) {
  switch (kind) {
    case TokenKind::kInt:
      return MakeInt(text);
    case TokenKind::kFloat:
      return Scalar(ParsePythonFloat(text).value_or(0.0));
    case TokenKind::kBool:
      return Scalar(text[0] == 't' || text[0] == 'T');
    case TokenKind::kNull:
      return Scalar(Null());
    case TokenKind::kEscape: {
      std::string unescaped;
      AppendUnescaped(text, unescaped);
      return Scalar(std::move(unescaped));
    }
    default:
      return Scalar(std::string(text));
  }
}

}  // namespace

QuotedString UnquoteToken(std::string_view token) {
  QuotedString quoted;
  quoted.quote = token.front();
  const std::string_view body = token.substr(1, token.size() - 2);
  quoted.text.reserve(body.size());
  size_t backslashes = 0;  // Pending: their meaning depends on the next character.
  for (const char c : body) {
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    // Before a quote: pairs, plus one that escapes the quote.
    quoted.text.append(c == quoted.quote ? backslashes / 2 : backslashes, '\\');
    backslashes = 0;
    quoted.text += c;
  }
  quoted.text.append(backslashes / 2, '\\');
  return quoted;
}

ridgeline::Result<Scalar, std::string> MakePrimitive(std::string_view line,
                                                     std::span<const Token> tokens) {
  if (tokens.front().kind == TokenKind::kSpace) {
    if (tokens.size() == 1) {
      return std::string("Trying to parse a primitive that is all whitespaces");
    }
    tokens = tokens.subspan(1);
  }
  if (tokens.back().kind == TokenKind::kSpace) tokens = tokens.first(tokens.size() - 1);
  if (tokens.size() == 1) return MakeSingle(TextOf(line, tokens[0]), tokens[0].kind);
  std::string text;
  text.reserve(tokens.back().end - tokens.front().begin);
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kEscape) {
      AppendUnescaped(TextOf(line, token), text);
    } else {
      text += TextOf(line, token);
    }
  }
  return Scalar(std::move(text));
}

}  // namespace ridgeline::config
