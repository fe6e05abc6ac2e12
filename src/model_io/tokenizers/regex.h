// A compiled pattern for splitting text, based on PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::tokenizers {

enum class PatternKind { kRegex, kLiteral };

// Working memory of one searching thread: for matches and backtracking.
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
    kGaveUp,  // Exceeded the limit of steps or memory.
  };
  Outcome outcome = Outcome::kNoMatch;
  size_t begin = 0;  // In bytes of the text; begin <= end.
  size_t end = 0;
};

// Thread-safe, if each thread has its own scratch.
class Regex {
 public:
  // The pattern uses Oniguruma's syntax, as in tokenizer files; see TranslatePattern for
  // the supported subset. A pattern that does not compile is kParse, one with another
  // meaning in PCRE2 is kUnsupported; both messages name the pattern.
  static Result<Regex> Compile(std::string_view pattern, PatternKind kind);

  // The first match at or after byte `from`, which must be the start of a character or
  // the end of the text. The text must be valid UTF-8.
  RegexSearch Find(std::string_view text, size_t from, RegexScratch& scratch) const;

 private:
  struct Code;  // PCRE2's own type.
  struct FreeCode {
    void operator()(Code* code) const;
  };
  Regex() = default;

  std::unique_ptr<Code, FreeCode> code_;
  bool has_machine_code_ = false;
};

// Translates Oniguruma's regular expressions, used in tokenizer files, to PCRE2's.

// The same pattern for PCRE2 with PCRE2_UTF | PCRE2_UCP. Where the two differ:
//   \s, \S   Unicode's White_Space; PCRE2's \s also includes U+180E.
//   \w, \W   letters, marks, decimal digits and connectors; PCRE2's has fewer marks.
//   \v, \uHHHH   one character each.
//   \p{Han}  a script; PCRE2 would include characters shared by scripts.
// Constructs that differ in meaning and are not used by any known tokenizer are
// kUnsupported, with their name: ^ and $, word boundaries, nested classes, POSIX classes,
// named groups, x{1,2}+ and the like. Invalid patterns are left for PCRE2 to reject.
//
// General categories are those of Unicode 14 in PCRE2 10.42, but of Unicode 16 in the
// Oniguruma of Hugging Face's tokenizers 0.21 and later: letters newer than PCRE2 may be
// split differently.
Result<std::string> TranslatePattern(std::string_view pattern);

}  // namespace ridgeline::tokenizers
