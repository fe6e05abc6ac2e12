#include <gtest/gtest.h>

#include "collectors/nvtx/listing.h"

namespace ridgeline::nvtx {
namespace {

// The file of a forked process with two ranges, the first inside a range of its parent
// process; optionally with one part replaced.
std::string File(const std::string& from = "", const std::string& to = "") {
  std::string text =
      R"({"schema_version": 2, "pid": 71, "parent_pid": 70, "program": "/opt/serve",
"complete": true, "threads": 2,
"left_out": {"ranges": 0, "reentrant_calls": 3, "pops_without_push": 0,
  "ends_without_start": 1, "labels_shortened": 0, "ranges_too_deep": 4},
"ranges": [
{"domain": "", "label": "prefill", "kind": "push_pop", "registered": false,
 "wide": false, "opened": 0, "closed": 0, "threads": 0},
{"domain": "", "label": "sam", "kind": "push_pop", "registered": true,
 "wide": false, "parent": 0, "opened": 3, "closed": 2, "time_total_ns": 50, "time_min_ns": 20,
 "time_max_ns": 30, "threads": 1},
{"domain": "engine", "label": "tick", "kind": "mark", "registered": false, "wide": true,
 "opened": 7, "threads": 2}]})";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(ParseProcessEventsTest, ReadsWhatTheLibraryWrites) {
  const Result<ProcessEvents> parsed = ParseProcessEvents(File(), "71.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  const ProcessEvents& events = parsed.value();
  EXPECT_EQ(events.pid, 71);
  EXPECT_EQ(events.parent_pid, 70);
  EXPECT_EQ(events.program, "/opt/serve");
  EXPECT_TRUE(events.complete);
  EXPECT_EQ(events.threads, 2);
  EXPECT_EQ(
      events.left_out,
      (LeftOut{.reentrant_calls = 3, .ends_without_start = 1, .ranges_too_deep = 4}));
  const std::vector<RangeRow> want = {
      {.domain = "",
       .label = "sam",
       .kind = RangeKind::kPushPop,
       .registered = true,
       .path = {"prefill"},
       .opened = 3,
       .closed = 2,
       .times = RangeTimes{.total_ns = 50, .min_ns = 20, .max_ns = 30},
       .threads = 1},
      {.domain = "engine",
       .label = "tick",
       .kind = RangeKind::kMark,
       .registered = false,
       .wide = true,
       .path = {},
       .opened = 7,
       .threads = 2}};
  EXPECT_EQ(events.ranges, want);
}

TEST(ParseProcessEventsTest, LeavesOutTimesWhereNothingWasClosed) {
  const Result<ProcessEvents> parsed =
      ParseProcessEvents(File(R"("closed": 2, "time_total_ns": 50, "time_min_ns": 20,
 "time_max_ns": 30,)",
                              R"("closed": 0,)"),
                         "71.json");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_FALSE(parsed.value().ranges[0].times);
}

TEST(ParseProcessEventsTest, RefusesEndlessPaths) {
  std::string ranges;
  for (int i = 0; i < 1000; ++i) {
    ranges += R"({"domain": "", "label": "f", "kind": "push_pop", "registered": false,
      "wide": false, "opened": 1, "closed": 0, "threads": 1, "parent": )" +
              std::to_string(i) + "},";
  }
  const Result<ProcessEvents> parsed = ParseProcessEvents(
      File(R"({"domain": "engine")", ranges + R"({"domain": "engine")"), "x");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().message(), "x: ranges: parent: nested too deep");
}

TEST(ParseProcessEventsTest, RefusesWhatItDoesNotWrite) {
  struct Case {
    const char* what;
    std::string text;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "x: not an NVTX event file of this version"},
      {"half a file", File().substr(0, 200), "x: not an NVTX event file of this version"},
      {"another version", File("\"schema_version\": 2", "\"schema_version\": 1"),
       "x: not an NVTX event file of this version"},
      {"a list", "[]", "x: not an NVTX event file of this version"},
      {"no pid", File("\"pid\": 71, ", ""), "x: process: pid: is missing"},
      {"a negative pid", File("\"pid\": 71", "\"pid\": -1"),
       "x: process: pid: expected a count"},
      {"a fraction", File("\"opened\": 7", "\"opened\": 7.5"),
       "x: ranges: opened: expected a count"},
      {"a number beyond all counting",
       File("\"opened\": 7", "\"opened\": 18446744073709551615"),
       "x: ranges: opened: expected a count"},
      {"complete as text", File("\"complete\": true", "\"complete\": \"yes\""),
       "x: process: complete: expected true or false"},
      {"a label that is none", File("\"label\": \"sam\"", "\"label\": 5"),
       "x: ranges: label: expected a string"},
      {"a parent that is none", File("\"parent\": 0", "\"parent\": \"prefill\""),
       "x: ranges: parent: expected a count"},
      {"a range inside itself", File("\"parent\": 0", "\"parent\": 1"),
       "x: ranges: parent: expected an earlier range"},
      {"a range that is none", File("\"ranges\": [\n", "\"ranges\": [1,\n"),
       "x: ranges: expected a mapping"},
      {"an unknown kind", File("\"mark\"", "\"flow\""), "x: ranges: kind: unknown value"},
      {"more closed than opened", File("\"closed\": 2", "\"closed\": 4"),
       "x: ranges: closed: greater than the number opened"},
      {"times that cannot be", File("\"time_min_ns\": 20", "\"time_min_ns\": 31"),
       "x: ranges: time_min_ns: min, max and total are inconsistent"},
      {"counters that are none", File("\"reentrant_calls\": 3, ", ""),
       "x: left_out: reentrant_calls: is missing"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<ProcessEvents> parsed = ParseProcessEvents(c.text, "x");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_EQ(parsed.error().message(), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::nvtx
