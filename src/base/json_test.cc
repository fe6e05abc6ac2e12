#include "base/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

TEST(JsonTest, EscapesEveryControlCharacterAndMeansTheSame) {
  const nlohmann::json json = {{"\x1b[2J", "\x7f \xc2\x9b \xc2\x80 \xc2\xa0 \a"}};
  const std::string text = DumpJson(json);
  EXPECT_EQ(text, R"({"\u001b[2J":"\u007f \u009b \u0080 )"
                  "\xc2\xa0"
                  R"( \u0007"})");
  EXPECT_EQ(ParseJson<nlohmann::json>(text), json);
}

}  // namespace
}  // namespace ridgeline
