#include "profiles/ncu_csv/number_style.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::profiles {
namespace {

Result<NumberStyle> StyleOf(const std::vector<std::string>& numbers) {
  NumberStyleEvidence evidence;
  int64_t line = 0;
  for (const std::string& number : numbers) evidence.Add(number, ++line);
  return evidence.Decide();
}

TEST(NumberStyleTest, TrapLocaleIsThatOfAllNumbersOfTheFileTogether) {
  struct Case {
    const char* what;
    std::vector<std::string> file;
    const char* style;
    const char* number;
    double want;
  };
  const Case cases[] = {
      {"C", {"40388", "1.60"}, "1234.5", "2.186", 2.186},
      {"en_US", {"40,388", "1.60"}, "1,234.5", "40,388", 40388},
      {"en_US, three decimals", {"1,040,388", "2.186"}, "1,234.5", "2.186", 2.186},
      {"en_US, no decimals at all", {"40,388"}, "1,234.5", "40,388", 40388},
      {"en_US, both marks", {"9,495.42", "2.186"}, "1,234.5", "9,495.42", 9495.42},
      {"de_DE", {"40.388", "1,60"}, "1.234,5", "40.388", 40388},
      {"de_DE, both marks",
       {"1.591.751.436,56"},
       "1.234,5",
       "1.591.751.436,56",
       1591751436.56},
      {"de_DE, three decimals", {"1,60"}, "1234,5", "2,186", 2.186},
      {"de_DE, wide pages have points of both kinds",
       {"1.620.000", "80.302157"},
       "1.234",
       "32.768",
       32768},
      {"de_DE, wide pages, the other kind",
       {"1.620.000", "32.768"},
       "1.234",
       "80.302157",
       80.302157},
      {"de_DE, wide pages without repeated marks",
       {"32.768", "80.302157"},
       "1234.5",
       "32.768",
       32768},
      {"fr_FR", {"40 388", "1,60"}, "1 234,5", "1 349 252,37", 1349252.37},
      {"fr_FR, no-break space",
       {"40\xC2\xA0"
        "388",
        "1,60"},
       "1 234,5",
       "40\xC2\xA0"
       "388",
       40388},
      {"fr_FR, narrow space",
       {"40\xE2\x80\xAF"
        "388",
        "1,60"},
       "1 234,5",
       "40\xE2\x80\xAF"
       "388",
       40388},
      {"fr_FR, wide pages",
       {"1 620 000", "80.302157"},
       "1 234.5",
       "80.302157",
       80.302157},
      {"de_CH", {"40'388", "1.60"}, "1'234.5", "40'388", 40388},
      {"de_CH, three decimals", {"40'388", "2.186"}, "1'234.5", "2.186", 2.186},
      {"below one", {"0.186"}, "1234.5", "2.186", 2.186},
      {"nothing with a mark", {"40388"}, "1234.5", "40388", 40388},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<NumberStyle> style = StyleOf(c.file);
    ASSERT_TRUE(style.ok()) << style.error().message();
    EXPECT_EQ(style.value().example, c.style);
    EXPECT_EQ(ParseNcuNumber(c.number, style.value(), 0), c.want);
  }
}

TEST(NumberStyleTest, TrapAnAmbiguousNumberIsAnErrorWhenNothingElseTells) {
  const Result<NumberStyle> style = StyleOf({"17", "2.186"});
  ASSERT_FALSE(style.ok());
  EXPECT_EQ(style.error().message(),
            "line 2: the number '2.186' is ambiguous: three decimals or a thousands "
            "separator; run ncu with LC_ALL=C");
}

TEST(NumberStyleTest, RefusesNumbersOfTwoLocales) {
  const std::vector<std::string> files[] = {
      {"1.60", "1,60"}, {"1.60", "1.234.567"}, {"1,60", "1,234,567"}};
  for (const auto& file : files) {
    SCOPED_TRACE(file[1]);
    const Result<NumberStyle> style = StyleOf(file);
    ASSERT_FALSE(style.ok());
    EXPECT_NE(style.error().message().find("line 2 has '" + file[1] + "'"),
              std::string::npos)
        << style.error().message();
  }
}

TEST(NumberStyleTest, ScalesWithoutRoundingTwice) {
  const NumberStyle style;
  EXPECT_EQ(ParseNcuNumber("1.17", style, 9), 1170000000.0);
  EXPECT_EQ(ParseNcuNumber("993.02", style, 3), 993020.0);
  EXPECT_EQ(ParseNcuNumber("0.000006", style, 9), 6000.0);
  EXPECT_EQ(ParseNcuNumber("1.15e-05", style, 9), 11500.0);
  EXPECT_EQ(ParseNcuNumber("1E+3", style, 0), 1000.0);
  EXPECT_EQ(ParseNcuNumber("-1,234.5", style, 0), -1234.5);
}

TEST(NumberStyleTest, TrapValuesMayBeWordsAggregatesOrNothing) {
  const NumberStyle style;
  EXPECT_EQ(ParseNcuNumber("4976 (48; 48; 16)", style, 0), 4976.0);
  EXPECT_EQ(ParseNcuNumber("100.39", style, 0), 100.39);
  for (const char* const text :
       {"n/a", "no data", "nan", "-nan", "inf", "", "CachePreferNone", "NVIDIA A10G",
        "127.0.0.1", "1,2.3,4", "12,34,567", "1.", "1e", "1e99999", "e5", "0x10", "()",
        "1,234,", "-"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(ParseNcuNumber(text, style, 0), std::nullopt);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
