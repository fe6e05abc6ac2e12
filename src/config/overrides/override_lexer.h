// Splits an override such as "+db@src=[a, 'b c'],range(1,3)" into tokens.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ridgeline::config {

enum class TokenKind {
  // The key, up to and including the first '='.
  kTilde,
  kPlus,
  kAt,
  kSlash,
  kKeySpecial,  // A name with '$' in it.
  kDotPath,     // "a.b.0".
  // The key or the value.
  kEqual,
  kColon,
  kName,  // "foo-bar_10".
  // The value.
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
  // Both.
  kEnd,
  kInvalid,  // No token starts here. Always the last one.
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0;
  size_t end = 0;
};

// The last token is kEnd or kInvalid. Whitespace beside a separator belongs to
// the separator, so "[ a , b ]" has five tokens.
std::vector<Token> LexOverride(std::string_view line);

}  // namespace ridgeline::config
