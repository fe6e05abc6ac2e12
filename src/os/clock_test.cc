#include "os/clock.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::os {
namespace {

constexpr LocalTime kAfternoon = {.year = 2024,
                                  .month = 3,
                                  .day = 5,
                                  .hour = 14,
                                  .minute = 7,
                                  .second = 9,
                                  .microsecond = 123456};

// Every `want` is the output of datetime.strftime in Python 3.11.
TEST(ClockTest, FormatsAsPythonDoes) {
  struct Case {
    std::string_view pattern;
    std::string_view want;
  };
  const Case cases[] = {
      {"%Y-%m-%d", "2024-03-05"},
      {"%H-%M-%S", "14-07-09"},
      {"%Y%m%d-%H%M%S", "20240305-140709"},
      {"%f", "123456"},
      {"%%f", "%f"},
      {"%%%f", "%123456"},
      {"%-f", "%-f"},
      {"%y %-d %_d %e %j", "24 5  5  5 065"},
      {"%U %W %V %G %u %w", "09 10 10 2024 2 2"},
      {"%a %A %b %B %h", "Tue Tuesday Mar March Mar"},
      {"%c", "Tue Mar  5 14:07:09 2024"},
      {"%x %X %D %T %R", "03/05/24 14:07:09 03/05/24 14:07:09 14:07"},
      {"%r %p %P %I %l %k", "02:07:09 PM PM pm 02  2 14"},
      {"[%z|%Z]", "[|]"},
      {"%z", ""},
      {"", ""},
      {"%", "%"},
      {"100%", "100%"},
      {"%Q", "%Q"},
      {"%N", "%N"},
      {"%:z", "%:z"},
      {"%5Y", "02024"},
      {"%^a", "TUE"},
      {"%C", "20"},
      {"%n%t|", "\n\t|"},
      {"%Ey %Om", "24 03"},
      {"caf\xc3\xa9 %Y", "caf\xc3\xa9 2024"},
      {"%99999Y", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    EXPECT_EQ(FormatTime(kAfternoon, c.pattern), c.want);
  }
}

TEST(ClockTest, GivesUpOnWidthsWherePythonDoes) {
  struct Case {
    std::string_view pattern;
    size_t want_size;
  };
  const Case cases[] = {
      {"%1023Y", 1023}, {"%1024Y", 1024}, {"%2047Y", 2047},
      {"%2048Y", 0},    {"%3000Y", 0},    {"%1000Y%1000Y", 2000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pattern);
    EXPECT_EQ(FormatTime(kAfternoon, c.pattern).size(), c.want_size);
  }
}

TEST(ClockTest, FormatsEarlyYearsAsPythonDoes) {
  EXPECT_EQ(FormatTime({.year = 1}, "%Y %y %C %G %a %j %F"), "1 01 0 1 Mon 001 1-01-01");
  const LocalTime last_of_999 = {999, 12, 31, 23, 59, 59, 7};
  EXPECT_EQ(FormatTime(last_of_999, "%Y-%m-%d %f %F %V"),
            "999-12-31 000007 999-12-31 01");
}

TEST(ClockTest, ParsesWhatAPersonWouldWrite) {
  struct Case {
    std::string_view text;
    LocalTime want;
  };
  const Case cases[] = {
      {"2024-03-05T14:07:09.123456", kAfternoon},
      {"2024-03-05 14:07:09.123456", kAfternoon},
      {"2024-03-05T14:07:09.5", {2024, 3, 5, 14, 7, 9, 500000}},
      {"2024-03-05T14:07:09", {2024, 3, 5, 14, 7, 9, 0}},
      {"2024-03-05T14:07", {2024, 3, 5, 14, 7, 0, 0}},
      {"2024-02-29", {2024, 2, 29, 0, 0, 0, 0}},
      {"0001-01-01T00:00:00", {1, 1, 1, 0, 0, 0, 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Result<LocalTime> time = ParseLocalTime(c.text);
    ASSERT_TRUE(time.ok()) << time.error().message();
    EXPECT_EQ(time.value(), c.want);
  }
}

TEST(ClockTest, RefusesTimesThatDoNotExist) {
  const std::string_view cases[] = {
      "",
      "now",
      "2024-3-5",
      "2023-02-29",
      "0000-01-01",
      "2024-13-01",
      "2024-00-10",
      "2024-03-05T",
      "2024-03-05T24:00:00",
      "2024-03-05T14",
      "2024-03-05T14:60",
      "2024-03-05T14:07:60",
      "2024-03-05T14:07:09.",
      "2024-03-05T14:07:09.1234567",
      "2024-03-05T14:07:09Z",
      "2024-03-05x14:07:09",
      "+024-03-05",
  };
  for (const std::string_view text : cases) {
    SCOPED_TRACE(text);
    const Result<LocalTime> time = ParseLocalTime(text);
    ASSERT_FALSE(time.ok());
    EXPECT_EQ(time.error().message(),
              "'" + std::string(text) + "' is not a time such as 2024-03-05T14:07:09");
  }
}

TEST(ClockTest, NowIsATimeThatExists) {
  const std::string text = FormatTime(Now(), "%Y-%m-%dT%H:%M:%S.%f");
  EXPECT_TRUE(ParseLocalTime(text).ok()) << text;
}

}  // namespace
}  // namespace ridgeline::os
