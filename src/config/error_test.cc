#include "config/error.h"

#include <gtest/gtest.h>

namespace ridgeline::config {
namespace {

Error SampleError() {
  Error error(ErrorKind::kConfigComposition, "Could not override 'a.x'.");
  error.cause = std::make_shared<const Error>(
      Error(ErrorKind::kConfigAttribute, "Key 'x' is not in struct"));
  error.origin = {std::make_shared<const std::string>("conf/config.yaml"), 3, 5};
  error.hint = "Did you mean 'a.y'?";
  return error;
}

TEST(ErrorTest, TellsPlaceMessageCauseAndHint) {
  EXPECT_EQ(Describe(SampleError()),
            "conf/config.yaml:3:5: Could not override 'a.x'.\nKey 'x' is not in struct\n"
            "Did you mean 'a.y'?");
  EXPECT_EQ(Describe(Error(ErrorKind::kValue, "plain")), "plain");
}

TEST(ErrorTest, AnOriginTellsWhatItKnows) {
  const auto source = std::make_shared<const std::string>("f.yaml");
  EXPECT_EQ(Origin{}.ToString(), "");
  EXPECT_EQ((Origin{source, 0, 0}).ToString(), "f.yaml");
  EXPECT_EQ((Origin{source, 4, 0}).ToString(), "f.yaml:4");
  EXPECT_EQ((Origin{source, 4, 2}).ToString(), "f.yaml:4:2");
}

TEST(ErrorTest, OtherRoomsGetTheWholeTextAndACode) {
  EXPECT_EQ(ToError(SampleError()).code(), ErrorCode::kConfig);
  EXPECT_EQ(ToError(SampleError()).message(), Describe(SampleError()));
  EXPECT_EQ(ToError(Error(ErrorKind::kOs, "no such file")).code(), ErrorCode::kNotFound);
}

TEST(ErrorTest, EveryKindHasItsClassAndItsFamily) {
  const struct {
    ErrorKind kind;
    const char* name;
    bool omegaconf;
    bool interpolation;
  } cases[] = {
      {ErrorKind::kConfigComposition, "ConfigCompositionException", false, false},
      {ErrorKind::kHydra, "HydraException", false, false},
      {ErrorKind::kMissingMandatoryValue, "MissingMandatoryValue", true, false},
      {ErrorKind::kInterpolationResolution, "InterpolationResolutionError", true, true},
      {ErrorKind::kInterpolationKey, "InterpolationKeyError", true, true},
      {ErrorKind::kInterpolationValidation, "InterpolationValidationError", true, true},
      {ErrorKind::kConfigKey, "ConfigKeyError", true, false},
      {ErrorKind::kGrammarParse, "GrammarParseError", true, false},
      {ErrorKind::kYamlScanner, "ScannerError", false, false},
      {ErrorKind::kType, "TypeError", false, false},
      {ErrorKind::kLimit, "LimitError", false, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(ClassName(c.kind), c.name);
    EXPECT_EQ(IsOmegaConf(c.kind), c.omegaconf);
    EXPECT_EQ(IsInterpolationResolution(c.kind), c.interpolation);
  }
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kLimit); ++kind) {
    EXPECT_FALSE(ClassName(static_cast<ErrorKind>(kind)).empty()) << kind;
  }
}

}  // namespace
}  // namespace ridgeline::config
