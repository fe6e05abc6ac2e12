#include "base/plural.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ridgeline {
namespace {

TEST(PluralTest, OneIsSingularAndEveryOtherCountPlural) {
  struct Case {
    int64_t count;
    const char* word;
    const char* text;
  };
  const Case cases[] = {
      {0, "page", "0 pages"},
      {1, "page", "1 page"},
      {2, "page", "2 pages"},
      {1, "launch", "1 launch"},
      {3, "launch", "3 launches"},
      {2, "activity", "2 activities"},
      {2, "profiled pass", "2 profiled passes"},
      {2, "array", "2 arrays"},
      {5, "GPU", "5 GPUs"},
      {-1, "row", "-1 rows"},
      {999, "event", "999 events"},
      {1000, "event", "1,000 events"},
      {-123456, "event", "-123,456 events"},
      {18850, "event", "18,850 events"},
      {INT64_MIN, "byte", "-9,223,372,036,854,775,808 bytes"},
  };
  for (const Case& c : cases) EXPECT_EQ(Plural(c.count, c.word), c.text);
}

TEST(PluralTest, TheWholeDecidesTheNounOfAPart) {
  EXPECT_EQ(PartOf(1, 1U, "stage"), "1 of 1 stage");
  EXPECT_EQ(PartOf(1, 3U, "stage"), "1 of 3 stages");
  EXPECT_EQ(PartOf(0, 0U, "stage"), "0 of 0 stages");
}

}  // namespace
}  // namespace ridgeline
