// Splits an override such as "+db@src=[a, 'b c'],range(1,3)" into tokens.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ridgeline::config {

enum class TokenKind {
  // In the key, up to and including the first '='.
  kTilde,
  kPlus,
  kAt,
  kSlash,
  kKeySpecial,  // A name that contains '$'.
  kDotPath,     // "a.b.0".
  // In the key or the value.
  kEqual,
  kColon,
  kName,  // "foo-bar_10".
  // In the value.
  kParenOpen,
  kParenClose,
  kBracketOpen,
  kBracketClose,
  kBraceOpen,
  kBraceClose,
  kComma,
  kFloat,
  kInt,
  kBool,
  kNull,
  kUnquotedChar,  // One of / - \ + . $ % * @ ? |
  kEscape,        // A run of escaped characters: "\,\ ".
  kSpace,
  kQuoted,
  kInterpolation,
  // In both.
  kEnd,
  kInvalid,  // Not a token. Always the last one.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0;
  size_t end = 0;
};

// The last token is kEnd or kInvalid. Whitespace next to a separator belongs to the
// separator, so "[ a , b ]" has five tokens.
std::vector<Token> LexOverride(std::string_view line);

}  // namespace ridgeline::config
