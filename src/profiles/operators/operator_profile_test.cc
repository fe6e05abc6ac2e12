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
  profile.unprofiled_before_s = 0.9;
  profile.unprofiled_after_s = 1.1;
  profile.events = 3;
  profile.operators = {
      {"aten::mm", "[[2,3],[3,4]]", {.calls = 2, .self_ns = 5, .flops = 48}},
      {"decode", std::nullopt, {.kind = EventKind::kAnnotation, .calls = 1}}};
  profile.modules = {{"decoder.layer0", 2, 5, -8, 48}};
  return profile;
}

TEST(ProfileFile, ReadsWhatItWrites) {
  const OperatorProfile profile = Example();
  const Result<OperatorProfile> read =
      ParseProfile(ToJson(profile), "operator_profile.json");
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
      {"another version", changed("\"schema_version\": 2", "\"schema_version\": 3"),
       "p: not a profile of schema version 1 to 2"},
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

TEST(ProfileFile, ReadsTheNamesOfVersion1) {
  std::string json = ToJson(Example());
  const std::pair<std::string, std::string> renamed[] = {
      {"\"schema_version\": 2", "\"schema_version\": 1"},
      {"unprofiled_before_s", "unrecorded_before_s"},
      {"unprofiled_after_s", "unrecorded_after_s"},
      {"overhead_per_event_ns", "cost_per_event_ns"},
      {"\"events_dropped", "\"events_lost"},
      {"memory_events_dropped", "memory_events_lost"},
      {"time_max_ns", "time_longest_ns"}};
  for (const auto& [name, old_name] : renamed) {
    ASSERT_NE(json.find(name), std::string::npos) << name;
    for (size_t at = json.find(name); at != std::string::npos; at = json.find(name)) {
      json.replace(at, name.size(), old_name);
    }
  }
  const Result<OperatorProfile> read = ParseProfile(json, "p");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(ToJson(read.value()), ToJson(Example()));
}

}  // namespace
}  // namespace ridgeline::profiles
