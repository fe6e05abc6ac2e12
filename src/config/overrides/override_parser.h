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

// Which step found the mistake.
enum class OverrideFault {
  kLexer,     // A character that no token starts with; an open quote.
  kSyntax,    // A token that cannot stand where it stands.
  kFunction,  // A function refused its arguments.
  kSemantic,  // The text is fine, its meaning is not.
};

// "lexer", "syntax", ...
std::string_view OverrideFaultName(OverrideFault fault);

// Functions and meanings: word for word what Hydra says. Lexer and syntax: our
// own words, the override with a caret under the place, and Hydra's last line.
struct OverrideError : Error {
  OverrideFault fault = OverrideFault::kSyntax;

  OverrideError(OverrideFault found_by, ErrorKind error_kind, std::string text)
      : Error(error_kind, std::move(text)), fault(found_by) {}
};

// Deeper nesting of [, { and ( is refused (ErrorKind::kLimit); Python gives up
// at a few hundred.
constexpr int kOverrideMaxDepth = 500;

// shuffle([a,b]) of a plain list is decided while parsing; the seed makes it
// repeatable. Sweeps are shuffled when they are enumerated.
constexpr uint32_t kDefaultShuffleSeed = 5489;

ridgeline::Result<Override, OverrideError> ParseOverride(
    std::string_view line, uint32_t shuffle_seed = kDefaultShuffleSeed);

// All of them, or the error of the first that is wrong.
Result<std::vector<Override>> ParseOverrides(std::span<const std::string> lines,
                                             uint32_t shuffle_seed = kDefaultShuffleSeed);

}  // namespace ridgeline::config
