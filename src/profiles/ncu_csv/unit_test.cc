#include <gtest/gtest.h>

#include "profiles/ncu_csv/row_builder.h"

namespace ridgeline::profiles {
namespace {

TEST(NcuUnitTest, TrapUnitsAreSpelledDifferentlyByEveryVersionAndMeanTheSame) {
  struct Case {
    const char* text;
    NcuUnit want;
  };
  const Case cases[] = {
      {"second", {"ns", 9}},
      {"s", {"ns", 9}},
      {"msecond", {"ns", 6}},
      {"ms", {"ns", 6}},
      {"usecond", {"ns", 3}},
      {"us", {"ns", 3}},
      {"nsecond", {"ns", 0}},
      {"ns", {"ns", 0}},
      {"byte", {"byte", 0}},
      {"Kbyte", {"byte", 3}},
      {"Mbyte", {"byte", 6}},
      {"Gbyte", {"byte", 9}},
      {"Tbyte", {"byte", 12}},
      {"byte/second", {"byte/s", 0}},
      {"Gbyte/second", {"byte/s", 9}},
      {"Gbyte/s", {"byte/s", 9}},
      {"Tbyte/s", {"byte/s", 12}},
      {"byte/nsecond", {"byte/s", 9}},
      {"hz", {"hz", 0}},
      {"Mhz", {"hz", 6}},
      {"Ghz", {"hz", 9}},
      {"GHz", {"hz", 9}},
      {"cycle/second", {"hz", 0}},
      {"cycle/usecond", {"hz", 6}},
      {"cycle/nsecond", {"hz", 9}},
      {"sector/msecond", {"sector/s", 3}},
      {"sectors", {"sector", 0}},
      {"Kbyte/block", {"byte/block", 3}},
      {"Kbyte/cycle", {"byte/cycle", 3}},
      {"register/thread", {"register/thread", 0}},
      {"inst/cycle", {"inst/cycle", 0}},
      {"%", {"%", 0}},
      {"%/Kbyte", {"%/byte", -3}},
      {"", {"", 0}},
      {"something new", {"something new", 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const NcuUnit unit = ParseNcuUnit(c.text);
    EXPECT_EQ(unit.base, c.want.base);
    EXPECT_EQ(unit.exponent, c.want.exponent);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
