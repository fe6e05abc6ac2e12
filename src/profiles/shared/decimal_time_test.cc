#include "profiles/shared/decimal_time.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ridgeline::profiles {
namespace {

using Fault = DecimalTime::Fault;

TEST(DecimalTimeTest, IsExact) {
  struct Case {
    const char* text;
    int64_t ns;
  };
  const Case cases[] = {
      {"0", 0},
      {"-0", 0},
      {"1", 1000},
      {"0.001", 1},
      {"1.5", 1500},
      {"12.34", 12340},
      {"1695835572943613", 1695835572943613000},
      {"1695835572943613.125", 1695835572943613125},
      {"-7.001", -7001},
      {"1e3", 1000000},
      {"1.5E+2", 150000},
      {"1234567e-6", 1235},
      {"0.0005", 0},  // Rounds half to even.
      {"0.0015", 2},
      {"0.0025", 2},
      {"0.00250000000000000000001", 3},
      {"0.0024999999999999999999", 2},
      {"-0.0015", -2},
      {"1.0000000000000000000", 1000},
      {"0.000000000000000000000000000001e30", 1000},
      {"1e-400", 0},
      {"0e400", 0},
      {"4611686018427387.903", kTimeLimitNs - 1},
      {"00000000000000000000000000001", 1000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const DecimalTime time = MicrosecondsToNs(c.text);
    EXPECT_EQ(time.fault, Fault::kNone);
    EXPECT_EQ(time.ns, c.ns);
  }
}

TEST(DecimalTimeTest, TellsWhetherItWasWrittenAsAFraction) {
  EXPECT_FALSE(MicrosecondsToNs("12").is_fractional);
  EXPECT_FALSE(MicrosecondsToNs("-1695835572943613123").is_fractional);
  EXPECT_TRUE(MicrosecondsToNs("12.0").is_fractional);
  EXPECT_TRUE(MicrosecondsToNs("1e3").is_fractional);
}

TEST(DecimalTimeTest, RefusesTheRest) {
  for (const char* text : {"", "-", ".5", "1.", "1e", "1e+", "x", "1 ", "null", "NaN",
                           "Infinity", "+1", "1.5.5", "--1"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(MicrosecondsToNs(text).fault, Fault::kNotANumber);
  }
  for (const char* text :
       {"4611686018427387.904", "99999999999999999999", "4611686018427387904", "1e99",
        "-1e300", "1e999999999999999999999", "9223372036854775.807",
        "9999999999999999.999"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(MicrosecondsToNs(text).fault, Fault::kOutOfRange);
  }
}

// The fast path and the general one agree: another digit forces the general one.
TEST(DecimalTimeTest, BothWaysAgree) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t ns = (random() >> (random() % 63)) % (uint64_t{1} << 62);
    std::string decimals = std::to_string(ns % 1000);
    decimals.insert(0, 3 - decimals.size(), '0');
    const std::string text = std::to_string(ns / 1000) + "." + decimals;
    EXPECT_EQ(MicrosecondsToNs(text).ns, static_cast<int64_t>(ns)) << text;
    EXPECT_EQ(MicrosecondsToNs(text + "0").ns, static_cast<int64_t>(ns)) << text;
  }
}

}  // namespace
}  // namespace ridgeline::profiles
