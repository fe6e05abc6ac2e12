#include "config/value/integer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ridgeline::config {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Integer, ReadsDigitsOfAnyBase) {
  struct Case {
    const char* what;
    const char* digits;
    int base;
    const char* want;  // Decimal; empty: rejected.
  };
  const Case cases[] = {
      {"zero", "0", 10, "0"},
      {"minus zero", "-0", 10, "0"},
      {"plus sign", "+17", 10, "17"},
      {"leading zeros", "007", 10, "7"},
      {"largest int64", "9223372036854775807", 10, "9223372036854775807"},
      {"one more", "9223372036854775808", 10, "9223372036854775808"},
      {"smallest int64", "-9223372036854775808", 10, "-9223372036854775808"},
      {"one less", "-9223372036854775809", 10, "-9223372036854775809"},
      {"leading zeros of a large one", "-00018446744073709551616", 10,
       "-18446744073709551616"},
      {"binary", "101", 2, "5"},
      {"octal", "17", 8, "15"},
      {"hexadecimal, both cases", "fF", 16, "255"},
      {"large hexadecimal", "10000000000000000", 16, "18446744073709551616"},
      {"base 36", "zz", 36, "1295"},
      {"nothing", "", 10, ""},
      {"only a sign", "-", 10, ""},
      {"two signs", "--1", 10, ""},
      {"digit out of base", "8", 8, ""},
      {"underscore", "1_0", 10, ""},
      {"space", " 1", 10, ""},
      {"letter late in a large number", "99999999999999999999x", 10, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::optional<Integer> got = Integer::Parse(c.digits, c.base);
    EXPECT_EQ(got ? got->ToString() : "", c.want);
  }
}

TEST(Integer, KnowsWhetherItFitsInt64) {
  EXPECT_TRUE(Integer::Parse("-9223372036854775808")->fits_int64());
  EXPECT_EQ(Integer::Parse("-9223372036854775808")->AsInt64(), kMin);
  EXPECT_FALSE(Integer::Parse("9223372036854775808")->fits_int64());
}

TEST(Integer, GrowsAndShrinksAcrossTheInt64Bounds) {
  const Integer beyond = Integer(kMax) + Integer(1);
  EXPECT_EQ(beyond.ToString(), "9223372036854775808");
  EXPECT_EQ(beyond + Integer(-1), Integer(kMax));
  EXPECT_EQ(-beyond, Integer(kMin));
  EXPECT_EQ(-Integer(kMin), beyond);
  EXPECT_EQ((Integer(kMax) * Integer(kMax)).ToString(),
            "85070591730234615847396907784232501249");
  EXPECT_EQ(Integer(6) * Integer(-7), Integer(-42));
  EXPECT_TRUE((-beyond + Integer(-1)).IsNegative());
  EXPECT_TRUE((beyond * Integer(0)).IsZero());
}

TEST(Integer, ComparesExactlyWithIntegersAndDoubles) {
  const Integer big = *Integer::Parse("18446744073709551616");  // 2^64
  EXPECT_LT(Integer::Compare(Integer(1), Integer(2)), 0);
  EXPECT_GT(Integer::Compare(big, Integer(kMax)), 0);
  EXPECT_EQ(Integer::Compare(big, big), 0);
  EXPECT_EQ(Integer::Compare(big, 18446744073709551616.0), 0);
  EXPECT_EQ(Integer::Compare(Integer(2), 2.0), 0);
  EXPECT_LT(Integer::Compare(Integer(2), 2.5), 0);
  EXPECT_GT(Integer::Compare(Integer(-2), -2.5), 0);
  // As a double kMax rounds up to 2^63; the comparison must not.
  EXPECT_LT(Integer::Compare(Integer(kMax), 9223372036854775808.0), 0);
  EXPECT_EQ(Integer::Compare(Integer(kMin), -9223372036854775808.0), 0);
  EXPECT_GT(Integer::Compare(Integer(kMin), -1e300), 0);
  EXPECT_LT(Integer::Compare(big, std::numeric_limits<double>::infinity()), 0);
}

TEST(Integer, ConvertsToAndFromDoubles) {
  EXPECT_EQ(Integer::FromDouble(-2.9), Integer(-2));
  EXPECT_EQ(Integer::FromDouble(1e20).ToString(), "100000000000000000000");
  EXPECT_EQ(Integer::FromDouble(-9223372036854775808.0), Integer(kMin));
  EXPECT_EQ(Integer(-3).ToDouble(), -3.0);
  // Rounds to nearest, not towards zero.
  EXPECT_EQ(Integer::Parse("18446744073709555711")->ToDouble(), 18446744073709555712.0);
  EXPECT_TRUE(std::isinf(Integer::Parse("1" + std::string(400, '0'))->ToDouble()));
}

}  // namespace
}  // namespace ridgeline::config
