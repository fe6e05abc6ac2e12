#include "config/value/python_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ridgeline::config {
namespace {

TEST(FloatRepr, PrintsWhatPythonPrints) {
  struct Case {
    double value;
    const char* want;
  };
  const Case cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {1.5e16, "1.5e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1.25e-7, "1.25e-07"},
      {1e100, "1e+100"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const Case& c : cases) EXPECT_EQ(FloatRepr(c.value), c.want);
}

TEST(Repr, QuotesAndEscapesTextAsPythonDoes) {
  struct Case {
    const char* what;
    std::string text;
    const char* want;
  };
  const Case cases[] = {
      {"plain", "abc", "'abc'"},
      {"empty", "", "''"},
      {"apostrophe turns to double quotes", "it's", "\"it's\""},
      {"both quotes", "'\"", "'\\'\"'"},
      {"short escapes", "\t\n\r\\", "'\\t\\n\\r\\\\'"},
      {"control", std::string("\0\x7f", 2), "'\\x00\\x7f'"},
      {"letters of other scripts stay", "é日😀", "'é日😀'"},
      {"no-break space", "\u00a0", "'\\xa0'"},
      {"byte order mark", "\ufeff", "'\\ufeff'"},
      {"not assigned", "\U0010ffff", "'\\U0010ffff'"},
      {"a byte that is not UTF-8", "\xff", "'\\udcff'"},
      {"overlong form", "\xc0\x80", "'\\udcc0\\udc80'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Repr(c.text), c.want);
  }
}

TEST(Str, PrintsValuesAsPythonDoes) {
  Dict dict;
  dict.Set(std::string("x"), Value(1));
  dict.Set(Integer(2), Value(List{Value(), true, 1000.0, "a"}));
  EXPECT_EQ(Str(Value(dict)), "{'x': 1, 2: [None, True, 1000.0, 'a']}");
  EXPECT_EQ(Str(Value("it's")), "it's");
  EXPECT_EQ(Repr(Value("it's")), "\"it's\"");
  EXPECT_EQ(Str(Value(Bytes{"a'\xff\n"})), "b\"a'\\xff\\n\"");
  EXPECT_EQ(Str(Value(List{})), "[]");
  EXPECT_EQ(Str(Value(Dict{})), "{}");
  EXPECT_EQ(Str(Value(false)), "False");
}

TEST(TypeName, IsPythonsNameOfTheType) {
  EXPECT_EQ(TypeName(Value()), "NoneType");
  EXPECT_EQ(TypeName(Value(true)), "bool");
  EXPECT_EQ(TypeName(Value(1)), "int");
  EXPECT_EQ(TypeName(Value(1.0)), "float");
  EXPECT_EQ(TypeName(Value("a")), "str");
  EXPECT_EQ(TypeName(Value(Bytes{""})), "bytes");
  EXPECT_EQ(TypeName(Value(List{})), "list");
  EXPECT_EQ(TypeName(Value(Dict{})), "dict");
  EXPECT_EQ(TypeName(Value(Scalar(Opaque{"date", ""}))), "date");
}

TEST(ParsePythonInt, TakesWhatIntTakes) {
  struct Case {
    const char* what;
    std::string text;
    const char* want;  // Empty: ValueError.
  };
  const Case cases[] = {
      {"digits", "12", "12"},
      {"leading zeros", "010", "10"},
      {"white space around", " \t-12\n", "-12"},
      {"underscores", "1_000", "1000"},
      {"two underscores", "1__0", ""},
      {"underscore at the end", "1_", ""},
      {"underscore behind the sign", "-_1", ""},
      {"space behind the sign", "- 1", ""},
      {"Arabic digits", "١٢", "12"},
      {"no-break space", "\u00a05", "5"},
      {"file separator is no white space here",
       "\x1c"
       "5",
       ""},
      {"prefix", "0x10", ""},
      {"fraction", "1.0", ""},
      {"nothing", "", ""},
      {"NUL", std::string("1\0", 2), ""},
      {"beyond int64", "99999999999999999999", "99999999999999999999"},
      {"beyond Python's limit", std::string(4301, '1'), ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::optional<Integer> got = ParsePythonInt(c.text);
    EXPECT_EQ(got ? got->ToString() : "", c.want);
  }
}

TEST(ParsePythonFloat, TakesWhatFloatTakes) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;  // repr; empty: ValueError.
  };
  const Case cases[] = {
      {"integer", "1", "1.0"},
      {"no digits before the point", ".5", "0.5"},
      {"no digits behind it", "1.", "1.0"},
      {"exponent", "-1E3", "-1000.0"},
      {"underscores", "1_0.0_1e1_0", "100100000000.0"},
      {"underscore beside the point", "1_.0", ""},
      {"infinity in any case", "-InFiNiTy", "-inf"},
      {"inf", "+inf", "inf"},
      {"nan", " nan ", "nan"},
      {"minus zero", "-0", "-0.0"},
      {"too large", "1e400", "inf"},
      {"too large by its digits", "1234567890123456789e300", "inf"},
      {"too small", "-1e-400", "-0.0"},
      {"huge exponent", "0.0001e-99999999999999999999", "0.0"},
      {"smallest", "4.9e-324", "5e-324"},
      {"Arabic digits", "١.٥", "1.5"},
      {"only a point", ".", ""},
      {"only an exponent", "e5", ""},
      {"exponent without digits", "1e", ""},
      {"hexadecimal", "0x1p3", ""},
      {"nothing", "", ""},
      {"nan with payload", "nan(1)", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::optional<double> got = ParsePythonFloat(c.text);
    EXPECT_EQ(got ? FloatRepr(*got) : "", c.want);
  }
}

}  // namespace
}  // namespace ridgeline::config
