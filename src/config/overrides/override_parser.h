// Hydra's override grammar.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"
#include "config/overrides/override.h"

namespace ridgeline::config {

// The step that detected the error.
enum class OverrideFault {
  kLexer,     // No token starts with this character, or a quote is not closed.
  kSyntax,    // Unexpected token.
  kFunction,  // A function rejected its arguments.
  kSemantic,  // Well-formed but meaningless.
};

// "lexer", "syntax", ...
std::string_view OverrideFaultName(OverrideFault fault);

// Function and semantic errors use Hydra's message verbatim. Lexer and syntax errors have
// our own message, the override with a caret below the position, and Hydra's last line.
struct OverrideError : Error {
  OverrideFault fault = OverrideFault::kSyntax;

  OverrideError(OverrideFault found_by, ErrorKind error_kind, std::string text)
      : Error(error_kind, std::move(text)), fault(found_by) {}
};

// Deeper nesting of [, { and ( is rejected (ErrorKind::kLimit); Python fails at a few
// hundred levels.
constexpr int kOverrideMaxDepth = 500;

// shuffle([a,b]) of a plain list is evaluated while parsing; the seed makes it
// reproducible. Sweeps are shuffled when they are enumerated.
constexpr uint32_t kDefaultShuffleSeed = 5489;

ridgeline::Result<Override, OverrideError> ParseOverride(
    std::string_view line, uint32_t shuffle_seed = kDefaultShuffleSeed);

// All overrides, or the error of the first invalid one.
Result<std::vector<Override>> ParseOverrides(std::span<const std::string> lines,
                                             uint32_t shuffle_seed = kDefaultShuffleSeed);

}  // namespace ridgeline::config
