// Splits the text of a configuration value into the tokens of OmegaConf's
// interpolation grammar. What a character means depends on where it stands (plain
// text, a quoted string, the key of an interpolation, the arguments of a
// resolver): a stack of modes remembers that.
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
  kInterOpen,   // "${", with the blanks after it.
  kInterClose,  // "}" after a key: ${a}
  kBraceOpen,
  kBraceClose,  // "}" of a dict or after the arguments of a resolver.
  kQuoteOpen,
  kQuoteClose,
  kBracketOpen,
  kBracketClose,
  kComma,  // This and the closing ones hold the blanks before them.
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
  // Pieces of text. Which backslashes go away is for the parser to say, since it
  // depends on what follows.
  kAnyText,
  kEscape,             // Every second character stands for itself.
  kEscapedInter,       // "\${", after an even number of backslashes.
  kTopBackslashes,     // An even number of them, in plain text.
  kQuotedBackslashes,  // The same in a quoted string.
};

struct InterpolationToken {
  InterpolationTokenType type = InterpolationTokenType::kEnd;
  size_t begin = 0;  // Bytes in the text: [begin, end).
  size_t end = 0;
};

class InterpolationLexer {
 public:
  enum class Mode : uint8_t {
    kText,   // The value of a configuration node.
    kValue,  // An element: argument of a resolver, item of a list.
    kInterpolation,
    kQuotedSingle,
    kQuotedDouble,
  };

  // More open braces and quotes than this are an error. Python's stack ends a
  // little below; bounding ours keeps every later walk over the tree safe.
  static constexpr size_t kMaxDepth = 200;

  // `text` must outlive the lexer.
  InterpolationLexer(std::string_view text, Mode mode) : text_(text), mode_(mode) {}

  // The longest token that starts here; kEnd, again and again, after the last.
  Result<InterpolationToken> Next();

 private:
  // What a token does to the stack of modes.
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

// 'a\nb': a piece of text as ANTLR's messages show it.
std::string InMessage(std::string_view text);

}  // namespace ridgeline::config
