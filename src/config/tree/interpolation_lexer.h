// Splits a configuration value into the tokens of OmegaConf's interpolation grammar. The
// meaning of a character depends on its context (plain text, quoted string, interpolation
// key, resolver arguments), which is tracked by a stack of modes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/error.h"

namespace ridgeline::config {

enum class InterpolationTokenType : uint8_t {
  kEnd,
  kInterOpen,   // "${" and any blanks after it.
  kInterClose,  // "}" after a key: ${a}
  kBraceOpen,
  kBraceClose,  // "}" of a dict or of a resolver call.
  kQuoteOpen,
  kQuoteClose,
  kBracketOpen,
  kBracketClose,
  kComma,  // Includes preceding blanks, as do the closing brackets.
  kColon,
  kDot,
  // Pieces of keys and of unquoted values.
  kId,
  kInterKey,
  kFloat,
  kInt,
  kBool,
  kNull,
  kUnquotedChar,
  kWhitespace,
  // Pieces of text. The parser decides which backslashes to remove, because that depends
  // on what follows.
  kAnyText,
  kEscape,             // Every second character is literal.
  kEscapedInter,       // "\${", after an even number of backslashes.
  kTopBackslashes,     // An even number of them, in plain text.
  kQuotedBackslashes,  // The same in a quoted string.
};

struct InterpolationToken {
  InterpolationTokenType type = InterpolationTokenType::kEnd;
  size_t begin = 0;  // Byte range: [begin, end).
  size_t end = 0;
};

class InterpolationLexer {
 public:
  enum class Mode : uint8_t {
    kText,   // The value of a configuration node.
    kValue,  // An element: a resolver argument or a list item.
    kInterpolation,
    kQuotedSingle,
    kQuotedDouble,
  };

  // More open braces and quotes than this are an error. Python's stack overflows slightly
  // earlier; this limit keeps every later traversal of the tree safe.
  static constexpr size_t kMaxDepth = 200;

  // `text` must outlive the lexer.
  InterpolationLexer(std::string_view text, Mode mode) : text_(text), mode_(mode) {}

  // The longest token at this position; after the last one, kEnd on every call.
  Result<InterpolationToken> Next();

 private:
  // The effect of a token on the mode stack.
  enum class Step : uint8_t { kStay, kPush, kPop, kReplace };
  struct Match {
    InterpolationTokenType type;
    size_t length;
    Step step = Step::kStay;
    Mode mode = Mode::kText;  // For kPush and kReplace.
  };
  static constexpr size_t kNoToken = 0;  // As the length of a match.

  Match MatchText(std::string_view rest, char quote) const;
  Match MatchValue(std::string_view rest) const;
  Match MatchKey(std::string_view rest) const;
  Match MatchHere() const;
  Error NotAToken() const;

  std::string_view text_;
  size_t position_ = 0;
  Mode mode_;
  size_t depth_ = 0;
  std::array<Mode, kMaxDepth> outer_modes_{};  // The first depth_ of them.
};

// 'a\nb': text as shown in ANTLR's messages.
std::string InMessage(std::string_view text);

}  // namespace ridgeline::config
