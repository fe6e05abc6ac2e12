// What can go wrong while a configuration is loaded, composed or read.
//
// Our users know Hydra's messages, so `message` is, word for word, what Hydra
// 1.3 or OmegaConf 2.3 say in the same situation; what we add (where the value
// came from, which key was probably meant) is kept apart from it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "config/origin.h"

namespace ridgeline::config {

// Named after the class that Hydra, OmegaConf or PyYAML raise: scripts that
// look for these names in logs keep working.
enum class ErrorKind {
  // Hydra.
  kConfigComposition,
  kMissingConfig,
  kOverrideParse,
  kSearchPath,
  kHydra,
  // OmegaConf.
  kMissingMandatoryValue,
  kKeyValidation,
  kValidation,
  kUnsupportedValueType,
  kInterpolationResolution,
  kUnsupportedInterpolationType,
  kInterpolationKey,
  kInterpolationToMissingValue,
  kInterpolationValidation,
  kConfigKey,
  kConfigAttribute,
  kConfigType,
  kConfigIndex,
  kGrammarParse,
  // PyYAML.
  kYamlScanner,
  kYamlParser,
  kYamlComposer,
  kYamlConstructor,
  kYamlReader,
  // Python's own, where Hydra lets them through.
  kValue,
  kType,
  kKey,
  kAttribute,
  kAssertion,
  kOs,
  // Ours: a bound that Python meets as a stack overflow or by eating all memory.
  kLimit,
};

// "ConfigCompositionException", "ScannerError", ...
std::string_view ClassName(ErrorKind kind);

// Whether OmegaConf raises it (its base class is OmegaConfBaseException).
bool IsOmegaConf(ErrorKind kind);

// Whether it is an InterpolationResolutionError or derived from one.
bool IsInterpolationResolution(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::kConfigComposition;
  std::string message;
  std::shared_ptr<const Error> cause;  // What Python prints as "from ex"; null if none.
  Origin origin;                       // Where to look; unknown if it has no place.
  std::string hint;                    // Our own advice, one line; empty if none.
  bool located = false;                // The message already has full_key and types.

  Error(ErrorKind error_kind, std::string text)
      : kind(error_kind), message(std::move(text)) {}
};

// What Hydra refuses while it composes.
inline Error CompositionError(std::string text) {
  return {ErrorKind::kConfigComposition, std::move(text)};
}

template <typename T>
using Result = ridgeline::Result<T, Error>;
using Status = Result<std::monostate>;

// The words a person gets: origin, message, cause, hint.
std::string Describe(const Error& error);

// For modules that know only ridgeline::Error.
ridgeline::Error ToError(const Error& error);

}  // namespace ridgeline::config
