// A compiled pattern that cuts texts, by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
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
  // The pattern is Oniguruma's, as files of tokenizers have it; regex_syntax.h says what
  // of that we know. What does not compile is kParse, what would mean something else to
  // PCRE2 is kUnsupported, and both messages name the pattern.
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

}  // namespace ridgeline::tokenizers
