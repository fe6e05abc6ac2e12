#include "config/error.h"

namespace ridgeline::config {

std::string_view ClassName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kConfigComposition:
      return "ConfigCompositionException";
    case ErrorKind::kMissingConfig:
      return "MissingConfigException";
    case ErrorKind::kOverrideParse:
      return "OverrideParseException";
    case ErrorKind::kSearchPath:
      return "SearchPathException";
    case ErrorKind::kHydra:
      return "HydraException";
    case ErrorKind::kMissingMandatoryValue:
      return "MissingMandatoryValue";
    case ErrorKind::kKeyValidation:
      return "KeyValidationError";
    case ErrorKind::kValidation:
      return "ValidationError";
    case ErrorKind::kUnsupportedValueType:
      return "UnsupportedValueType";
    case ErrorKind::kInterpolationResolution:
      return "InterpolationResolutionError";
    case ErrorKind::kUnsupportedInterpolationType:
      return "UnsupportedInterpolationType";
    case ErrorKind::kInterpolationKey:
      return "InterpolationKeyError";
    case ErrorKind::kInterpolationToMissingValue:
      return "InterpolationToMissingValueError";
    case ErrorKind::kInterpolationValidation:
      return "InterpolationValidationError";
    case ErrorKind::kConfigKey:
      return "ConfigKeyError";
    case ErrorKind::kConfigAttribute:
      return "ConfigAttributeError";
    case ErrorKind::kConfigType:
      return "ConfigTypeError";
    case ErrorKind::kConfigIndex:
      return "ConfigIndexError";
    case ErrorKind::kGrammarParse:
      return "GrammarParseError";
    case ErrorKind::kYamlScanner:
      return "ScannerError";
    case ErrorKind::kYamlParser:
      return "ParserError";
    case ErrorKind::kYamlComposer:
      return "ComposerError";
    case ErrorKind::kYamlConstructor:
      return "ConstructorError";
    case ErrorKind::kYamlReader:
      return "ReaderError";
    case ErrorKind::kValue:
      return "ValueError";
    case ErrorKind::kType:
      return "TypeError";
    case ErrorKind::kKey:
      return "KeyError";
    case ErrorKind::kAttribute:
      return "AttributeError";
    case ErrorKind::kAssertion:
      return "AssertionError";
    case ErrorKind::kOs:
      return "OSError";
    case ErrorKind::kLimit:
      return "LimitError";
  }
  return "";
}

bool IsOmegaConf(ErrorKind kind) {
  return kind >= ErrorKind::kMissingMandatoryValue && kind <= ErrorKind::kGrammarParse;
}

bool IsInterpolationResolution(ErrorKind kind) {
  return kind == ErrorKind::kInterpolationResolution ||
         kind == ErrorKind::kUnsupportedInterpolationType ||
         kind == ErrorKind::kInterpolationKey ||
         kind == ErrorKind::kInterpolationToMissingValue ||
         kind == ErrorKind::kInterpolationValidation;
}

std::string Describe(const Error& error) {
  std::string text = error.origin.ToString();
  if (!text.empty()) text += ": ";
  text += error.message;
  if (error.cause != nullptr) text += "\n" + error.cause->message;
  if (!error.hint.empty()) text += "\n" + error.hint;
  return text;
}

ridgeline::Error ToError(const Error& error) {
  const ErrorCode code =
      error.kind == ErrorKind::kOs ? ErrorCode::kNotFound : ErrorCode::kConfig;
  return ridgeline::Error(code, Describe(error));
}

}  // namespace ridgeline::config
