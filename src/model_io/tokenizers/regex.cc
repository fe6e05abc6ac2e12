// PCRE2 has one interface per character width; we use bytes.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "model_io/tokenizers/regex.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace ridgeline::tokenizers {
namespace {

// The longest pattern of a real tokenizer has about 500 bytes.
constexpr size_t kPatternSizeMax = 4096;

// Limit of backtracking steps for one match. A pattern such as (a+)+b needs 2^n of them
// for n letters; patterns of tokenizers need about as many as the match has letters, so
// long texts have a higher limit.
constexpr size_t kStepsMax = 10'000'000;
constexpr size_t kStepsMaxPerByte = 4;
// Memory for backtracking: of the JIT, and if that is not enough, of the interpreter (in
// KiB, as required by PCRE2).
constexpr size_t kStackBytesAtFirst = 32UL << 10;
constexpr size_t kStackBytesMax = 1UL << 20;
constexpr uint32_t kHeapKibMax = 64U << 10;

template <auto kFree>
struct FreeWith {
  void operator()(auto* thing) const { kFree(thing); }
};
using MatchData = std::unique_ptr<pcre2_match_data, FreeWith<pcre2_match_data_free>>;
using MatchContext =
    std::unique_ptr<pcre2_match_context, FreeWith<pcre2_match_context_free>>;
using CompileContext =
    std::unique_ptr<pcre2_compile_context, FreeWith<pcre2_compile_context_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, FreeWith<pcre2_jit_stack_free>>;

PCRE2_SPTR AsUnits(std::string_view text) {
  // An empty view may be null, which PCRE2 rejects.
  return reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
}

Error Refusal(ErrorCode code, std::string_view pattern, std::string_view why) {
  return {code, fmt::format("pattern '{}': {}", pattern, why)};
}

std::string MessageOf(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

struct RegexScratch::Parts {
  MatchContext context{pcre2_match_context_create(nullptr)};
  JitStack stack{pcre2_jit_stack_create(kStackBytesAtFirst, kStackBytesMax, nullptr)};
  MatchData match{pcre2_match_data_create(1, nullptr)};  // Groups are not needed.
};

RegexScratch::RegexScratch() : parts_(std::make_unique<Parts>()) {
  pcre2_match_context* context = parts_->context.get();
  if (context == nullptr) return;
  pcre2_set_heap_limit(context, kHeapKibMax);
  pcre2_jit_stack_assign(context, nullptr, parts_->stack.get());
}

RegexScratch::RegexScratch(RegexScratch&&) noexcept = default;
RegexScratch& RegexScratch::operator=(RegexScratch&&) noexcept = default;
RegexScratch::~RegexScratch() = default;

void Regex::FreeCode::operator()(Code* code) const {
  pcre2_code_free(reinterpret_cast<pcre2_code*>(code));
}

Result<Regex> Regex::Compile(std::string_view pattern, PatternKind kind) {
  if (pattern.size() > kPatternSizeMax) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("a pattern of {} bytes is too long", pattern.size()));
  }
  std::string translated(pattern);
  uint32_t options = PCRE2_UTF;
  if (kind == PatternKind::kLiteral) {
    options |= PCRE2_LITERAL;
  } else {
    options |= PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    Result<std::string> result = TranslatePattern(pattern);
    if (!result.ok()) {
      return Refusal(result.error().code(), pattern, result.error().message());
    }
    translated = std::move(result).value();
  }
  const CompileContext context(pcre2_compile_context_create(nullptr));
  if (context) pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  size_t offset = 0;
  pcre2_code* code = pcre2_compile(AsUnits(translated), translated.size(), options,
                                   &error, &offset, context.get());
  if (code == nullptr) return Refusal(ErrorCode::kParse, pattern, MessageOf(error));
  Regex regex;
  regex.code_.reset(reinterpret_cast<Code*>(code));
  // Some systems forbid JIT compilation; the interpreter finds the same matches.
  regex.has_machine_code_ = pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
  return regex;
}

RegexSearch Regex::Find(std::string_view text, size_t from, RegexScratch& scratch) const {
  using Outcome = RegexSearch::Outcome;
  const auto* code = reinterpret_cast<const pcre2_code*>(code_.get());
  const RegexScratch::Parts& parts = *scratch.parts_;
  if (!parts.match || !parts.context) return {.outcome = Outcome::kGaveUp};
  const size_t steps_max = kStepsMax + kStepsMaxPerByte * text.size();
  pcre2_set_match_limit(parts.context.get(),
                        static_cast<uint32_t>(std::min<size_t>(steps_max, UINT32_MAX)));
  int matched = PCRE2_ERROR_JIT_STACKLIMIT;
  if (has_machine_code_ && parts.stack) {
    matched = pcre2_jit_match(code, AsUnits(text), text.size(), from, 0,
                              parts.match.get(), parts.context.get());
  }
  if (matched == PCRE2_ERROR_JIT_STACKLIMIT) {
    matched = pcre2_match(code, AsUnits(text), text.size(), from,
                          PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, parts.match.get(),
                          parts.context.get());
  }
  if (matched == PCRE2_ERROR_NOMATCH) return {};
  const size_t* bounds = pcre2_get_ovector_pointer(parts.match.get());
  // 0 is a match with more groups than requested.
  if (matched < 0 || bounds[0] > bounds[1]) return {.outcome = Outcome::kGaveUp};
  return {.outcome = Outcome::kMatch, .begin = bounds[0], .end = bounds[1]};
}

}  // namespace ridgeline::tokenizers
