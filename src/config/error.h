// Errors from loading, composing or reading a configuration.
//
// Users know Hydra's messages, so `message` is, word for word, that of Hydra 1.3 or
// OmegaConf 2.3 in the same situation; additions (the origin of the value, the key that
// was probably meant) are kept separate.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "config/origin.h"

namespace ridgeline::config {

// Named after the class raised by Hydra, OmegaConf or PyYAML: scripts that search logs
// for these names keep working.
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
  // Python's own, which Hydra passes through.
  kValue,
  kType,
  kKey,
  kAttribute,
  kAssertion,
  kOs,
  // Ours: a limit that shows up in Python as a stack overflow or as memory exhaustion.
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
  std::shared_ptr<const Error> cause;  // Python's "from ex"; null if none.
  Origin origin;                       // Unknown if the error has no location.
  std::string hint;                    // Our own advice, one line; may be empty.
  bool located = false;                // The message already contains full_key and types.

  Error(ErrorKind error_kind, std::string text)
      : kind(error_kind), message(std::move(text)) {}
};

// An error that Hydra raises while composing.
inline Error CompositionError(std::string text) {
  return {ErrorKind::kConfigComposition, std::move(text)};
}

template <typename T>
using Result = ridgeline::Result<T, Error>;
using Status = Result<std::monostate>;

// The text shown to the user: origin, message, cause, hint.
std::string Describe(const Error& error);

// For modules that know only ridgeline::Error.
ridgeline::Error ToError(const Error& error);

}  // namespace ridgeline::config
