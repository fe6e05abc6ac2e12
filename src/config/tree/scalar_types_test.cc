#include "config/tree/scalar_types.h"

#include <gtest/gtest.h>

#include <limits>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

struct ConversionCase {
  const char* what;
  Value value;
  const char* want;  // repr of the result, or the message.
};

template <size_t kCount>
void ExpectConversions(const TypeHint& hint, const ConversionCase (&cases)[kCount]) {
  for (const ConversionCase& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Value> converted = ConvertScalar(hint, c.value);
    EXPECT_EQ(converted.ok() ? Repr(converted.value()) : converted.error().message,
              c.want);
  }
}

TEST(ScalarTypesTest, AnyTakesEveryScalarAsItIs) {
  const ConversionCase cases[] = {
      {"null", Value(), "None"},
      {"text", Value("1"), "'1'"},
      {"number", Value(1), "1"},
      {"bytes", Value(Bytes{"x"}), "b'x'"},
      {"a list", Value(List{}), "Value 'list' is not a supported primitive type"},
      {"a date", Value(Scalar(Opaque{"date", "2024-01-01"})),
       "Value 'date' is not a supported primitive type"},
  };
  ExpectConversions(kAny, cases);
}

TEST(ScalarTypesTest, TextTakesAllButBytesAndContainers) {
  const ConversionCase cases[] = {
      {"text", Value("x"), "'x'"},
      {"integer", Value(5), "'5'"},
      {"float", Value(1e3), "'1000.0'"},
      {"bool", Value(true), "'True'"},
      {"null", Value(), "Incompatible value 'None' for field of type 'str'"},
      {"bytes", Value(Bytes{"x"}), "Cannot convert '$VALUE_TYPE' to string: '$VALUE'"},
      {"a dict", Value(Dict{}), "Cannot convert '$VALUE_TYPE' to string: '$VALUE'"},
  };
  ExpectConversions(kString, cases);
}

TEST(ScalarTypesTest, IntegersTakeTextThatIsOne) {
  const char* refused =
      "Value '$VALUE' of type '$VALUE_TYPE' could not be converted to Integer";
  const ConversionCase cases[] = {
      {"integer", Value(5), "5"},
      {"text", Value(" 1_000 "), "1000"},
      {"large text", Value("123456789012345678901234567890"),
       "123456789012345678901234567890"},
      {"float", Value(1.0), refused},
      {"float as text", Value("1.0"), refused},
      {"bool", Value(true), refused},
      {"words", Value("five"), refused},
      {"null", Value(), "Incompatible value 'None' for field of type 'int'"},
  };
  ExpectConversions(kInteger, cases);
}

TEST(ScalarTypesTest, BoolsTakeNumbersAndYamlsWords) {
  const char* refused = "Value '$VALUE' is not a valid bool (type $VALUE_TYPE)";
  const ConversionCase cases[] = {
      {"bool", Value(false), "False"}, {"zero", Value(0), "False"},
      {"two", Value(2), "True"},       {"number as text", Value("0"), "False"},
      {"yes", Value("YES"), "True"},   {"off", Value("off"), "False"},
      {"y", Value("y"), "True"},       {"a word", Value("maybe"), refused},
      {"float", Value(1.0), refused},  {"null", Value(), "None"},
  };
  ExpectConversions(kOptionalBool, cases);
}

TEST(ScalarTypesTest, RunModesAreNamedOrNumbered) {
  const ConversionCase cases[] = {
      {"name", Value("RUN"), "'RUN'"},
      {"long name", Value("RunMode.MULTIRUN"), "'MULTIRUN'"},
      {"number", Value(2), "'MULTIRUN'"},
      {"wrong number", Value(3),
       "Invalid value '$VALUE', expected one of [RUN, MULTIRUN]"},
      {"wrong case", Value("run"),
       "Invalid value '$VALUE', expected one of [RUN, MULTIRUN]"},
      {"float", Value(1.0),
       "Value $VALUE ($VALUE_TYPE) is not a valid input for <enum 'RunMode'>"},
      {"null", Value(), "None"},
  };
  ExpectConversions(kOptionalRunMode, cases);
}

TEST(ScalarTypesTest, HintsAreNamedAsPythonNamesThem) {
  const std::pair<const TypeHint*, const char*> cases[] = {
      {&kAny, "Any"},
      {&kString, "str"},
      {&kOptionalInteger, "Optional[int]"},
      {&kOptionalRunMode, "Optional[RunMode]"},
      {&kListOfStrings, "List[str]"},
      {&kOptionalListOfAny, "Optional[List[Any]]"},
      {&kDictOfAny, "Dict[str, Any]"},
      {&kOptionalDictOfStrings, "Optional[Dict[str, str]]"},
  };
  for (const auto& [hint, want] : cases) EXPECT_EQ(hint->Name(), want);
}

}  // namespace
}  // namespace ridgeline::config
