#include <gtest/gtest.h>

#include "pipeline/stage_context.h"

namespace ridgeline::pipeline {
namespace {

TEST(ProgressFileTest, ReadsWhatAWorkloadSays) {
  struct Case {
    const char* text;
    std::optional<Progress> want;
  };
  const Case cases[] = {
      {"3 20 pages\n", Progress{3, 20, "pages"}},
      {"3 20", Progress{3, 20, ""}},
      {"3", Progress{3, std::nullopt, ""}},
      {"  0.5\t1 GB  more", Progress{0.5, 1, "GB"}},
      {"3 20 a\x1b[2Jb", Progress{3, 20, "a[2Jb"}},
      {"", std::nullopt},
      {"x 20", std::nullopt},
      {"-1 20", std::nullopt},
      {"nan", std::nullopt},
      {"1e999", std::nullopt},
      {"3 20 aVeryLongUnitThatNobodyNeeds", Progress{3, 20, "aVeryLongUnitTha"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ParseProgress(c.text), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::pipeline
