#include "artifacts/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace ridgeline::artifacts {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

Manifest OneRun() {
  Manifest manifest;
  manifest.ridgeline_version = "0.1.0";
  manifest.run_id = "23-29-13";
  manifest.directory = "/runs/23-29-13";
  manifest.state = State::kRunning;
  manifest.host = "tower";
  manifest.pid = 4711;
  manifest.started = "2026-11-15T23:29:13+01:00";
  manifest.arguments = {"workload=command"};
  manifest.cwd = "/home/ada";
  manifest.invoked = "2026-11-15T23:29:13.123456";
  manifest.workload = "./serve --port 80";
  manifest.config_sha256 = "ab";
  manifest.stages = {
      {.name = "baseline",
       .state = State::kDone,
       .directory = "baseline",
       .commands = {"./serve"},
       .started = "2026-11-15T23:29:14+01:00",
       .ended = "2026-11-15T23:29:15+01:00",
       .wall_s = 1.25,
       .processes = {{.purpose = "workload",
                      .argv = {"./serve", "--port", "80"},
                      .directory = "/home/ada",
                      .log = "baseline/output.log",
                      .ended = "exit code 0",
                      .exit_code = 0,
                      .wall_s = 1.5,
                      .peak_rss_bytes = 5'000'000'000}},
       .artifacts = {"baseline/output.log"}},
      {.name = "nsys", .state = State::kPending, .tools = {"nsys"}},
  };
  return manifest;
}

// ---- Round trip of random manifests

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  size_t Below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random_);
  }
  bool Coin() { return Below(2) == 0; }

  int64_t Number() {
    const int64_t edges[] = {0, 1, -1, std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()};
    return Coin() ? edges[Below(std::size(edges))] : static_cast<int64_t>(random_());
  }
  int SmallNumber() { return static_cast<int>(Number()); }

  double Fraction() {
    const double edges[] = {0.0,
                            0.1,
                            1e300,
                            std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::max(),
                            1e17};
    if (Coin()) return edges[Below(std::size(edges))];
    return static_cast<double>(random_()) / 1e6;
  }

  std::string Text() {
    const std::string pieces[] = {
        "a", " ",  "\n", "\"", "\\",   "\t",           std::string(1, '\0'), "\x7f",
        "ü", "水", "😀",  "/",  "null", "\xEF\xBF\xBD", "\xC2\x85",           "\x1b[0m"};
    std::string text;
    while (Below(4) != 0) text += pieces[Below(std::size(pieces))];
    return text;
  }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    while (Coin()) texts.push_back(Text());
    return texts;
  }

  State AnyState() { return static_cast<State>(Below(7)); }
  Parity AnyParity() { return static_cast<Parity>(Below(3)); }

  ProcessRecord Process() {
    ProcessRecord process{.purpose = Text(),
                          .argv = Texts(),
                          .directory = Text(),
                          .log = Text(),
                          .ended = Text(),
                          .timed_out = Coin(),
                          .leftover_processes = SmallNumber(),
                          .wall_s = Fraction(),
                          .user_s = Fraction(),
                          .system_s = Fraction(),
                          .peak_rss_bytes = Number(),
                          .output_bytes = Number()};
    if (Coin()) process.exit_code = SmallNumber();
    if (Coin()) process.signal = SmallNumber();
    return process;
  }

  StageRecord Stage() {
    StageRecord stage{.name = Text(),
                      .state = AnyState(),
                      .reason = Text(),
                      .directory = Text(),
                      .commands = Texts(),
                      .tools = Texts(),
                      .started = Text(),
                      .ended = Text(),
                      .artifacts = Texts(),
                      .notes = Texts(),
                      .parity = AnyParity(),
                      .parity_detail = Text()};
    if (Coin()) stage.wall_s = Fraction();
    while (Coin()) stage.processes.push_back(Process());
    return stage;
  }

  Manifest Run() {
    Manifest manifest{.ridgeline_version = Text(),
                      .run_id = Text(),
                      .directory = Text(),
                      .state = AnyState(),
                      .reason = Text(),
                      .host = Text(),
                      .pid = Number(),
                      .started = Text(),
                      .ended = Text(),
                      .arguments = Texts(),
                      .cwd = Text(),
                      .invoked = Text(),
                      .workload = Text(),
                      .config_sha256 = Text(),
                      .attempts = SmallNumber()};
    if (Coin()) manifest.exit_code = SmallNumber();
    while (Coin()) manifest.stages.push_back(Stage());
    return manifest;
  }

 private:
  std::mt19937_64 random_;
};

TEST(Manifest, ComesBackFromItsJson) {
  Dice dice(20261115);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    const Manifest manifest = dice.Run();
    const std::string json = ToJson(manifest);
    const Result<Manifest> parsed = ParseManifest(json, "manifest.json");
    ASSERT_TRUE(parsed.ok()) << parsed.error().message() << "\n" << json;
    ASSERT_EQ(parsed.value(), manifest) << json;
    ASSERT_EQ(ToJson(parsed.value()), json);
  }
}

TEST(Manifest, HasItsKeysInAFixedOrderAndTheVersionFirst) {
  const Json json = Json::parse(ToJson(OneRun()));
  const auto keys = [](const Json& object) {
    std::string names;
    for (const auto& [key, value] : object.items()) names += key + " ";
    return names;
  };
  EXPECT_EQ(keys(json),
            "schema_version ridgeline_version run_id directory state reason exit_code "
            "parity host "
            "pid started ended arguments cwd invoked workload config_sha256 "
            "attempts earlier_commands stages ");
  EXPECT_EQ(keys(json["stages"][0]),
            "name state reason directory commands tools started ended wall_s processes "
            "artifacts notes outcome retry_overrides parity parity_detail ");
  EXPECT_EQ(keys(json["stages"][0]["processes"][0]),
            "purpose argv directory log ended exit_code signal timed_out "
            "leftover_processes wall_s user_s system_s peak_rss_bytes output_bytes ");
  EXPECT_EQ(keys(json["stages"][0]), keys(json["stages"][1]));
}

TEST(Manifest, WritesWhatIsUnknownAsNull) {
  const Json json = Json::parse(ToJson(OneRun()));
  EXPECT_TRUE(json["exit_code"].is_null());
  EXPECT_TRUE(json["ended"].is_null());
  EXPECT_TRUE(json["reason"].is_null());
  EXPECT_TRUE(json["stages"][1]["wall_s"].is_null());
  EXPECT_TRUE(json["stages"][0]["processes"][0]["signal"].is_null());
  EXPECT_EQ(json["stages"][0]["processes"][0]["exit_code"], 0);
}

TEST(Manifest, HasRanksOnlyOfStagesWithSome) {
  Manifest manifest = OneRun();
  EXPECT_EQ(ToJson(manifest).find("\"ranks\""), std::string::npos);
  RankRecord failed;
  failed.rank = 1;
  failed.local_rank = 0;
  failed.host = "n2";
  failed.pid = 7;
  failed.state = RankState::kFailed;
  failed.profiled = true;
  failed.outcome = "RankFailed";
  failed.exit_code = 137;
  failed.signal = 9;
  failed.started = "2026-11-15T23:29:14+01:00";
  failed.start_delay_s = 0.5;
  failed.wall_s = 1.5;
  failed.peak_rss_bytes = 1000;
  failed.last_line = "out of memory";
  failed.files = {"nsys/nsys.rank1.log"};
  manifest.stages[1].ranks = {RankRecord{}, failed};
  const auto read = ParseManifest(ToJson(manifest), "m");
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value(), manifest);
  Json json = Json::parse(ToJson(manifest));
  json["stages"][1]["ranks"][1]["state"] = "lost";
  const auto wrong = ParseManifest(json.dump(), "m");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message(),
            "m: 'stages[1].ranks[1].state' is not a known state of a rank");
}

TEST(Manifest, IsIndentedByTwoAndEndsWithANewline) {
  const std::string json = ToJson(OneRun());
  EXPECT_THAT(json, StartsWith("{\n  \"schema_version\": 2,\n  \"ridgeline_version\": "));
  EXPECT_TRUE(json.ends_with("\n}\n"));
}

TEST(Manifest, ReplacesBytesThatAreNotUtf8) {
  Manifest manifest = OneRun();
  manifest.arguments = {"name=\xff\xc3", "\xed\xa0\x80"};
  const Result<Manifest> parsed = ParseManifest(ToJson(manifest), "manifest.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed.value().arguments[0], "name=\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Manifest, PassesOverKeysThatItDoesNotKnow) {
  Json json = Json::parse(ToJson(OneRun()));
  json["colour"] = "blue";
  json["stages"][0]["colour"] = {1, 2};
  EXPECT_EQ(ParseManifest(json.dump(), "manifest.json").value(), OneRun());
}

TEST(Manifest, TellsWhereAnotherOneIsWrong) {
  struct Case {
    const char* at;  // JSON pointer
    const char* value;
    const char* want;
  };
  const Case cases[] = {
      {"/pid", "\"12\"", "'pid' is not an integer"},
      {"/pid", "1.5", "'pid' is not an integer"},
      {"/pid", "18446744073709551615", "'pid' is out of range"},
      {"/attempts", "2147483648", "'attempts' is out of range"},
      {"/exit_code", "-2147483649", "'exit_code' is out of range"},
      {"/exit_code", "true", "'exit_code' is not an integer"},
      {"/state", "\"asleep\"", "'state' is not a known state"},
      {"/state", "3", "'state' is not a known state"},
      {"/reason", "0", "'reason' is not a string"},
      {"/parity", "true", "'parity' is not a known parity"},
      {"/host", "null", "'host' is not a string"},
      {"/arguments", "\"a\"", "'arguments' is not a list"},
      {"/arguments", "[\"a\", 1]", "'arguments[1]' is not a string"},
      {"/stages", "{}", "'stages' is not a list"},
      {"/stages/1", "[]", "'stages[1]' is not an object"},
      {"/stages/0/wall_s", "\"\"", "'stages[0].wall_s' is not a number"},
      {"/stages/0/processes/0/timed_out", "0",
       "'stages[0].processes[0].timed_out' is not a boolean"},
      {"/stages/0/processes/0/wall_s", "null",
       "'stages[0].processes[0].wall_s' is not a number"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.at) + " = " + c.value);
    Json json = Json::parse(ToJson(OneRun()));
    json[Json::json_pointer(c.at)] = Json::parse(c.value);
    const Result<Manifest> parsed = ParseManifest(json.dump(), "run/manifest.json");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_EQ(parsed.error().message(), std::string("run/manifest.json: ") + c.want);
  }
}

TEST(Manifest, TakesTheDefaultOfAKeyThatIsMissing) {
  const Json whole = Json::parse(ToJson(OneRun()));
  const Json none = Json::parse(ToJson(Manifest()));
  for (const auto& [key, value] : whole.items()) {
    if (key == "schema_version") continue;
    SCOPED_TRACE(key);
    Json json = whole;
    json.erase(key);
    Json want = whole;
    want[key] = none[key];
    const Result<Manifest> parsed = ParseManifest(json.dump(), "manifest.json");
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    EXPECT_EQ(Json::parse(ToJson(parsed.value())), want);
  }
}

TEST(Manifest, ReadsTheNamesOfVersion1) {
  struct Case {
    const char* valid;
    Parity want;
  };
  const Case cases[] = {{"null", Parity::kNotChecked},
                        {"true", Parity::kPassed},
                        {"false", Parity::kFailed}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.valid);
    const std::string valid = c.valid;
    const Result<Manifest> parsed = ParseManifest(
        R"({"schema_version": 1, "why": "broke", "valid": )" + valid +
            R"(, "invoked_in": "/home/ada", "invoked_at": "2026-11-15T23:29:13.1",
                "stages": [{"name": "nsys", "why": "no nsys", "retry_with": ["a=1"],
                            "valid": )" +
            valid + R"(, "parity": "said so"}]})",
        "manifest.json");
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    const Manifest want = {.reason = "broke",
                           .parity = c.want,
                           .cwd = "/home/ada",
                           .invoked = "2026-11-15T23:29:13.1",
                           .stages = {{.name = "nsys",
                                       .reason = "no nsys",
                                       .retry_overrides = {"a=1"},
                                       .parity = c.want,
                                       .parity_detail = "said so"}}};
    EXPECT_EQ(parsed.value(), want);
  }
}

TEST(Manifest, RefusesWhatIsNone) {
  struct Case {
    const char* what;
    std::string json;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "m.json: parse error at line 1, column 1: "},
      {"the first half", ToJson(OneRun()).substr(0, 100),
       "m.json: parse error at line 5, "},
      {"not JSON", "schema_version: 1", "m.json: parse error at line 1, column 1: "},
      {"a number too large", "{\"schema_version\": 1e999}", "m.json: number overflow"},
      {"half a character", "{\"a\": \"\xc3\"}", "invalid string"},
      {"a list", "[]", "m.json: is not a run manifest"},
      {"no version", "{}", "m.json: is not a run manifest"},
      {"version 0", "{\"schema_version\": 0}", "m.json: is not a run manifest"},
      {"version 1.0", "{\"schema_version\": 1.0}", "m.json: is not a run manifest"},
      {"deep", std::string(100'000, '['), "unexpected end of input"},
      {"deep and whole", std::string(100'000, '[') + std::string(100'000, ']'),
       "m.json: is not a run manifest"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Manifest> parsed = ParseManifest(c.json, "m.json");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_THAT(parsed.error().message(), StartsWith("m.json: "));
    EXPECT_THAT(parsed.error().message(), HasSubstr(c.want));
  }
}

TEST(Manifest, DoesNotRepeatTheWholeFileInAnError) {
  const Result<Manifest> parsed =
      ParseManifest("{\"a\": \"" + std::string(10'000, 'x'), "m.json");
  ASSERT_FALSE(parsed.ok());
  EXPECT_LT(parsed.error().message().size(), 200U);
}

TEST(Manifest, SaysThatOneOfANewerVersionIsNotSupported) {
  const Result<Manifest> parsed = ParseManifest("{\"schema_version\": 3}", "m.json");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(
      parsed.error().message(),
      "m.json: schema_version 3 was written by a newer ridgeline; this version reads 2");
}

TEST(Manifest, FindsAStageByItsName) {
  Manifest manifest = OneRun();
  EXPECT_EQ(manifest.Find("nsys"), &manifest.stages[1]);
  EXPECT_EQ(manifest.Find("ncu"), nullptr);
}

// ---- AsKilled

TEST(AsKilled, InterruptsWhatIsRunningAndLeavesTheRest) {
  struct Case {
    State before;
    State run_after;
    State stage_after;
  };
  const Case cases[] = {
      {State::kDisabled, State::kDisabled, State::kDisabled},
      {State::kPending, State::kInterrupted, State::kPending},
      {State::kRunning, State::kInterrupted, State::kInterrupted},
      {State::kDone, State::kDone, State::kDone},
      {State::kSkipped, State::kSkipped, State::kSkipped},
      {State::kFailed, State::kFailed, State::kFailed},
      {State::kInterrupted, State::kInterrupted, State::kInterrupted},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(ToText(c.before));
    Manifest manifest = OneRun();
    manifest.state = c.before;
    manifest.reason = "as before";
    manifest.stages = {{.name = "nsys", .state = c.before, .reason = "as before"}};
    const Manifest killed = AsKilled(manifest);
    EXPECT_EQ(killed.state, c.run_after);
    EXPECT_EQ(killed.reason,
              c.run_after == c.before ? "as before" : "ridgeline was killed");
    EXPECT_EQ(killed.stages[0].state, c.stage_after);
    EXPECT_EQ(killed.stages[0].reason,
              c.stage_after == c.before
                  ? "as before"
                  : "ridgeline was killed while this stage was running");
  }
}

}  // namespace
}  // namespace ridgeline::artifacts
