#include "config/overrides/override.h"

#include <gtest/gtest.h>

#include "config/overrides/override_parser.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Override Parsed(const std::string& line) {
  auto parsed = ParseOverride(line);
  EXPECT_TRUE(parsed.ok()) << line;
  return parsed.ok() ? std::move(parsed).value() : Override();
}

TEST(Override, RendersElementsSoThatTheyParseAgain) {
  struct Case {
    const char* value;
    const char* want;
  } cases[] = {
      {"true", "True"},
      {"1e3", "1000.0"},
      {"null", "null"},
      {"x y", "x\\ y"},
      {"${a}", "$\\{a\\}"},
      {"a:b", "a\\:b"},
      {"[1, 'a b', {x : y}]", "[1,'a b',{x:y}]"},
      {"\\\\", "\\\\"},
      {"", ""},
      {"[glob(a*)]", "[{include:[a*],exclude:[]}]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.value);
    const auto text = Parsed("k=" + std::string(c.value)).ValueElementAsString();
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text.value(), c.want);
    EXPECT_EQ(Parsed("k=" + text.value()).ValueElementAsString().value(), c.want);
  }
  EXPECT_EQ(Parsed("~k").ValueElementAsString().value(), "null");
}

TEST(Override, GivesPlainValues) {
  EXPECT_EQ(Repr(Parsed("k={a: ['x', 1.0, null], 1: true}").PlainValue().value()),
            "{'a': ['x', 1.0, None], 1: True}");
  EXPECT_EQ(Repr(Parsed("k=[glob([x, 1])]").PlainValue().value()),
            "[{'include': ['x', '1'], 'exclude': []}]");
}

TEST(Override, RefusesToRenderSweepsInsideContainers) {
  const auto text = Parsed("k=[range(3)]").ValueElementAsString();
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kValidation);
  EXPECT_EQ(text.error().message,
            "Unexpected type annotation: Set[str]\n    full_key: tags\n    "
            "object_type=RangeSweep");
  EXPECT_FALSE(Parsed("k=[range(3)]").PlainValue().ok());
  EXPECT_EQ(Parsed("k=1,2").ValueElementAsString().error().message,
            "Cannot convert sweep to str");
}

TEST(Override, KnowsWhatBelongsToHydra) {
  EXPECT_TRUE(Parsed("hydra.run.dir=x").IsHydra());
  EXPECT_TRUE(Parsed("~hydra/launcher").IsHydra());
  EXPECT_FALSE(Parsed("hydra=x").IsHydra());
  EXPECT_FALSE(Parsed("hydrant.x=x").IsHydra());
}

}  // namespace
}  // namespace ridgeline::config
