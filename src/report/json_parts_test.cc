#include "report/json_parts.h"

#include <gmock/gmock.h>

namespace ridgeline::report {
namespace {

TEST(CutTextTest, KeepsBeginningAndEnd) {
  EXPECT_EQ(CutText("kernel"), "kernel");
  const std::string limit(kMostTextBytes, 'x');
  EXPECT_EQ(CutText(limit), limit);
  const std::string cut = CutText("begin" + std::string(10'000, 'x') + "end");
  EXPECT_TRUE(cut.starts_with("begin"));
  EXPECT_TRUE(cut.ends_with("end"));
  EXPECT_LE(cut.size(), kMostTextBytes + 10);
}

TEST(CutTextTest, LeavesCharactersWhole) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "ü";
  for (const std::string& shifted : {text, "a" + text}) {
    const std::string cut = CutText(shifted);
    // Would throw on a half character.
    EXPECT_NO_THROW(nlohmann::ordered_json(cut).dump());
  }
}

}  // namespace
}  // namespace ridgeline::report
