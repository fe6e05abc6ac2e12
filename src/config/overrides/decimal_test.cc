#include "config/overrides/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ridgeline::config {
namespace {

Decimal Of(double value) { return Decimal::FromNumber(value); }

TEST(Decimal, ShowsNumbersExactly) {
  struct Case {
    double value;
    const char* want;
  } cases[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1.5, "1.5"},
      {-100.0, "-100"},
      {0.1, "0.1000000000000000055511151231257827021181583404541015625"},
      {0x1p-20, "9.5367431640625E-7"},
      {0x1p-19, "0.0000019073486328125"},
      {1e22, "10000000000000000000000"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.want);
    EXPECT_EQ(Of(c.value).ToString(), c.want);
    const double back = Of(c.value).ToDouble();
    EXPECT_TRUE(back == c.value || std::isnan(c.value));
  }
  EXPECT_EQ(Decimal::FromNumber(true).ToString(), "1");
  EXPECT_EQ(Decimal::FromNumber(*Integer::Parse("-100000000000000000000")).ToString(),
            "-100000000000000000000");
}

TEST(Decimal, RoundsSumsTo28DigitsHalfToEven) {
  const auto sum = [](const char* a, const char* b) {
    const auto total = Decimal::Sum(Decimal::FromNumber(*Integer::Parse(a)),
                                    Decimal::FromNumber(*Integer::Parse(b)));
    return total->ToString();
  };
  EXPECT_EQ(sum("1", "2"), "3");
  EXPECT_EQ(sum("5", "-5"), "0");
  EXPECT_EQ(sum("3", "-10"), "-7");
  EXPECT_EQ(sum("10000000000000000000000000000", "5"),
            "1.000000000000000000000000000E+28");
  EXPECT_EQ(sum("10000000000000000000000000010", "5"),
            "1.000000000000000000000000002E+28");
  EXPECT_EQ(sum("10000000000000000000000000000", "6"),
            "1.000000000000000000000000001E+28");
  EXPECT_EQ(sum("99999999999999999999999999999", "0"),
            "1.000000000000000000000000000E+29");
  EXPECT_EQ(Decimal::Sum(Of(0.1), Of(0.2))->ToString(), "0.3000000000000000166533453694");
}

TEST(Decimal, ComparesExactly) {
  EXPECT_EQ(Decimal::Compare(Of(1.0), Of(1.5)), -1);
  EXPECT_EQ(Decimal::Compare(Of(-1.0), Of(-1.5)), 1);
  EXPECT_EQ(Decimal::Compare(Of(0.0), Of(-0.0)), 0);
  EXPECT_EQ(Decimal::Compare(Of(0.1), Of(0.1)), 0);
  EXPECT_EQ(Decimal::Compare(Of(1e300), Of(INFINITY)), -1);
  EXPECT_EQ(Decimal::Compare(Of(-INFINITY), Of(-INFINITY)), 0);
  EXPECT_EQ(Decimal::Compare(Of(NAN), Of(1.0)), std::nullopt);
  EXPECT_FALSE(Decimal::Sum(Of(INFINITY), Of(-INFINITY)).has_value());
}

}  // namespace
}  // namespace ridgeline::config
