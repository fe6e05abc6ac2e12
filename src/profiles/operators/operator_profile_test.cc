#include "profiles/operators/operator_profile.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

OperatorProfile Example() {
  OperatorProfile profile;
  profile.recorder = "a \"recorder\"";
  profile.image = "page.png";
  profile.max_new_tokens = 8;
  profile.activities = {"cpu"};
  profile.notes = {"no CUDA here"};
  profile.has_shapes = true;
  profile.wall_s = 1.05;
  profile.unrecorded_before_s = 0.9;
  profile.unrecorded_after_s = 1.1;
  profile.events = 3;
  profile.operators = {
      {"aten::mm", "[[2,3],[3,4]]", {.calls = 2, .self_ns = 5, .flops = 48}},
      {"decode", std::nullopt, {.kind = EventKind::kAnnotation, .calls = 1}}};
  profile.modules = {{"decoder.layer0", 2, 5, -8, 48}};
  return profile;
}

TEST(ProfileFile, ReadsWhatItWrites) {
  const OperatorProfile profile = Example();
  const Result<OperatorProfile> read = ParseProfile(ToJson(profile), "profile.json");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), profile);
}

TEST(ProfileFile, SaysWhatIsWrong) {
  struct Case {
    const char* what;
    std::string json;
    std::string want;
  };
  const std::string good = ToJson(Example());
  const auto changed = [&good](const std::string& from, const std::string& to) {
    std::string json = good;
    json.replace(json.find(from), from.size(), to);
    return json;
  };
  const Case cases[] = {
      {"no JSON", "{", "p: not a profile: expected a JSON object"},
      {"a list", "[]", "p: not a profile: expected a JSON object"},
      {"another version", changed("\"schema_version\": 1", "\"schema_version\": 2"),
       "p: not a profile of schema version 1"},
      {"a member is missing", changed("\"image\"", "\"picture\""),
       "p: 'image': expected a string"},
      {"a wrong type", changed("\"calls\": 2", "\"calls\": 2.5"),
       "p: 'calls': expected an integer"},
      {"a row is no object", changed("\"operators\": [", "\"operators\": [7,"),
       "p: 'operators': expected a list of objects"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<OperatorProfile> read = ParseProfile(c.json, "p");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message(), c.want);
  }
}

TEST(ProfileFile, ComparesWithTheMeanOfBeforeAndAfter) {
  EXPECT_DOUBLE_EQ(*SlowdownOf(Example()), 1.05);
  EXPECT_EQ(SlowdownOf(OperatorProfile{}), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::profiles
