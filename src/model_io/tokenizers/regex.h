// A compiled pattern that cuts texts, by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::tokenizers {

enum class PatternKind { kRegex, kLiteral };

// What one thread needs while it searches: memory for matches and for backtracking.
class RegexScratch {
 public:
  RegexScratch();
  RegexScratch(RegexScratch&&) noexcept;
  RegexScratch& operator=(RegexScratch&&) noexcept;
  ~RegexScratch();

 private:
  friend class Regex;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct RegexSearch {
  enum class Outcome {
    kMatch,
    kNoMatch,
    kGaveUp,  // Matching took more steps or memory than we allow.
  };
  Outcome outcome = Outcome::kNoMatch;
  size_t begin = 0;  // In bytes of the text; begin <= end.
  size_t end = 0;
};

// May be used by several threads, each with its own scratch.
class Regex {
 public:
  // The pattern is Oniguruma's, as files of tokenizers have it; TranslatePattern says
  // what of that we know. What does not compile is kParse, what would mean something else
  // to PCRE2 is kUnsupported, and both messages name the pattern.
  static Result<Regex> Compile(std::string_view pattern, PatternKind kind);

  // The first match at or after byte `from`, which begins a character or ends the text.
  // The text must be valid UTF-8.
  RegexSearch Find(std::string_view text, size_t from, RegexScratch& scratch) const;

 private:
  struct Code;  // PCRE2's own.
  struct FreeCode {
    void operator()(Code* code) const;
  };
  Regex() = default;

  std::unique_ptr<Code, FreeCode> code_;
  bool has_machine_code_ = false;
};

// From Oniguruma's regular expressions, which files of tokenizers are written in, to
// PCRE2's.

// The same pattern for PCRE2 with PCRE2_UTF | PCRE2_UCP. Where the two disagree:
//   \s, \S   Unicode's White_Space; PCRE2's \s also takes U+180E.
//   \w, \W   letters, marks, decimal digits and connectors; PCRE2's has fewer marks.
//   \v, \uHHHH   one character each.
//   \p{Han}  a script; PCRE2 would also take characters that scripts share.
// What means another thing to the two and is in no tokenizer that we know of is
// kUnsupported, with what it is: ^ and $, word boundaries, classes within classes, POSIX
// classes, named groups, x{1,2}+ and the like. A pattern that is wrong in itself is left
// for PCRE2 to refuse.
//
// General categories come from Unicode 14 in PCRE2 10.42 and from Unicode 16 in the
// Oniguruma of Hugging Face's tokenizers 0.21 and later: letters that are newer than
// PCRE2 may be cut differently.
Result<std::string> TranslatePattern(std::string_view pattern);

}  // namespace ridgeline::tokenizers
