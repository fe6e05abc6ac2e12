#include "profiles/torch_trace/torch_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "profiles/torch_trace/operator_inputs.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::GpuActivityKind;
using results::TraceRows;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

std::string Fixture(const std::string& name) {
  std::ifstream file(std::string(RIDGELINE_TESTS_DIR) + "/data/torch_trace/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<TraceRows> TryRead(std::string_view text) {
  MemorySource source(text);
  return ReadTorchTrace(source);
}

TraceRows ReadTrace(std::string_view text) {
  Result<TraceRows> rows = TryRead(text);
  EXPECT_TRUE(rows.ok()) << rows.error().message();
  return rows.ok() ? std::move(rows).value() : TraceRows();
}

std::string TraceErrorOf(std::string_view text) {
  const Result<TraceRows> rows = TryRead(text);
  return rows.ok() ? "no error" : rows.error().message();
}

TraceRows ReadEvents(const std::string& events) { return ReadTrace("[" + events + "]"); }

// Returns the text in pieces of a few bytes.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, size_t step) : source_(bytes), step_(step) {}
  Result<size_t> Read(std::span<char> into) override {
    return source_.Read(into.first(std::min(step_, into.size())));
  }

 private:
  MemorySource source_;
  size_t step_;
};

TEST(TorchTraceTest, ReadsAWholeTrace) {
  const std::string text = Fixture("small.json");
  const TraceRows rows = ReadTrace(text);
  EXPECT_EQ(rows.text_bytes, static_cast<int64_t>(text.size()));
  EXPECT_EQ(rows.header.rank, 0);
  EXPECT_EQ(rows.header.world_size, 2);
  EXPECT_EQ(rows.header.schema_version, 1);
  EXPECT_EQ(rows.header.display_time_unit, "ms");
  EXPECT_EQ(rows.header.time_base_ns, 1751410836000000000);
  EXPECT_THAT(rows.header.gpu_names, ElementsAre("Example GPU"));
  EXPECT_THAT(rows.header.keys,
              ElementsAre("baseTimeNanoseconds", "deviceProperties", "displayTimeUnit",
                          "distributedInfo", "schemaVersion", "traceEvents", "traceName",
                          "with_stack"));
  EXPECT_EQ(rows.counts.events, 21);
  EXPECT_THAT(rows.counts.by_phase,
              UnorderedElementsAre(Pair("X", 16), Pair("M", 2), Pair("s", 1),
                                   Pair("f", 1), Pair("i", 1)));
  EXPECT_THAT(rows.counts.categories_not_read, ElementsAre(Pair("cuda_sync", 1)));
  EXPECT_EQ(rows.operators.size(), 3U);
  EXPECT_EQ(rows.annotations.size(), 1U);
  EXPECT_EQ(rows.runtime_calls.size(), 4U);
  ASSERT_EQ(rows.gpu_activities.size(), 5U);
  EXPECT_EQ(rows.gpu_activities[0].start_ns, 5040000);
  EXPECT_EQ(rows.gpu_activities[3].kind, GpuActivityKind::kMemcpy);
  EXPECT_EQ(rows.gpu_activities[3].duration_ns, 15250);
  const auto copy = std::pair(rows.gpu_activities[3].track, rows.gpu_activities[3].name);
  ASSERT_TRUE(rows.memory_bytes.contains(copy));
  EXPECT_EQ(rows.memory_bytes.at(copy), 2048);
  EXPECT_EQ(rows.left_out.Get(DropReason::kGpuAnnotation), 1);
  EXPECT_EQ(rows.left_out.Get(DropReason::kPythonFunction), 1);
}

TEST(TorchTraceTest, ReadsTheSameHoweverTheTextIsCut) {
  const std::string text = Fixture("small.json");
  const TraceRows whole = ReadTrace(text);
  for (const size_t step : {1, 2, 3, 7, 64, 1000}) {
    SCOPED_TRACE(step);
    Trickle source(text, step);
    const Result<TraceRows> cut = ReadTorchTrace(source);
    ASSERT_TRUE(cut.ok()) << cut.error().message();
    EXPECT_EQ(cut.value().counts.by_category, whole.counts.by_category);
    EXPECT_EQ(cut.value().header.keys, whole.header.keys);
    EXPECT_EQ(cut.value().gpu_activities.size(), whole.gpu_activities.size());
    EXPECT_EQ(cut.value().names.size(), whole.names.size());
    EXPECT_EQ(cut.value().operators.back().start_ns, whole.operators.back().start_ns);
  }
}

TEST(TorchTraceTest, RefusesEveryBeginningOfATrace) {
  for (const char* name : {"small.json", "array_2020.json"}) {
    std::string text = Fixture(name);
    while (text.back() == '\n') text.pop_back();
    for (size_t size = 1; size < text.size(); ++size) {
      const std::string want =
          "byte " + std::to_string(size) + ": unexpected end of file";
      ASSERT_EQ(TraceErrorOf(text.substr(0, size)), want);
    }
  }
}

// Categories of 2020 and 2021, an array at the top level, streams as text.
TEST(TorchTraceTest, ReadsTheOldNamesAndTheBareArray) {
  const TraceRows rows = ReadTrace(Fixture("array_2020.json"));
  EXPECT_TRUE(rows.header.is_array);
  EXPECT_TRUE(rows.header.keys.empty());
  EXPECT_EQ(rows.operators.size(), 1U);
  EXPECT_EQ(rows.runtime_calls.size(), 1U);
  ASSERT_EQ(rows.gpu_activities.size(), 3U);
  EXPECT_EQ(rows.gpu_activities[1].kind, GpuActivityKind::kMemcpy);
  EXPECT_EQ(rows.gpu_activities[2].kind, GpuActivityKind::kMemset);
  EXPECT_THAT(rows.devices, ElementsAre("0"));
  std::vector<std::string> streams;
  for (const results::Track& track : rows.tracks) streams.push_back(track.stream);
  EXPECT_THAT(streams, ElementsAre("7", "7", "8"));  // 7, "stream 7", "stream 8"
}

// Microseconds since 1970 with three decimals are exact.
TEST(TorchTraceTest, KeepsEveryNanosecondOfLargeTimes) {
  const TraceRows rows =
      ReadEvents(R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,)"
                 R"("ts":1712164298123456.789,"dur":0.001},)"
                 R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,)"
                 R"("ts":"1712164298123456.790","dur":1e-3})");
  ASSERT_EQ(rows.gpu_activities.size(), 2U);
  EXPECT_EQ(rows.gpu_activities[0].start_ns, 1712164298123456789);
  EXPECT_EQ(rows.gpu_activities[0].duration_ns, 1);
  EXPECT_EQ(rows.gpu_activities[1].start_ns, 1712164298123456790);
  EXPECT_EQ(rows.gpu_activities[1].duration_ns, 1);
}

// Numbers beyond INT64_MAX, even in fields that are read.
TEST(TorchTraceTest, ReadsNumbersBeyondInt64) {
  const TraceRows rows = ReadEvents(
      R"({"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":0,"tid":1,"ts":1,)"
      R"("dur":2,"args":{"Comms Id":10159970886766084423}},)"
      R"({"ph":"X","cat":"cuda_runtime","name":"a","ts":1,"dur":1,)"
      R"("args":{"correlation":18446744073709551615}},)"
      R"({"ph":"X","cat":"kernel","name":"a","ts":1,"dur":1,)"
      R"("args":{"device":0,"stream":18446744073709551615,)"
      R"("correlation":18446744073709551615}})");
  EXPECT_EQ(rows.operators.size(), 1U);
  ASSERT_EQ(rows.gpu_activities.size(), 1U);
  ASSERT_EQ(rows.runtime_calls.size(), 1U);
  EXPECT_EQ(rows.gpu_activities[0].correlation, rows.runtime_calls[0].correlation);
}

// Ranges on GPU tracks are not work; headers without devices or with null ranks.
TEST(TorchTraceTest, ReadsTracesWithoutKernelsAndWithoutRanks) {
  const TraceRows rows = ReadTrace(
      R"({"distributedInfo": {"rank": null}, "deviceProperties": [], "traceEvents": [)"
      R"({"ph":"X","cat":"gpu_user_annotation","name":"step","ts":1,"dur":9},)"
      R"({"ph":"X","cat":"mtia_runtime","name":"launch","ts":1,"dur":9}]})");
  EXPECT_FALSE(rows.header.rank);
  EXPECT_FALSE(rows.header.world_size);
  EXPECT_TRUE(rows.header.gpu_names.empty());
  EXPECT_TRUE(rows.gpu_activities.empty());
  EXPECT_EQ(rows.left_out.Get(DropReason::kGpuAnnotation), 1);
  EXPECT_THAT(rows.counts.categories_not_read, ElementsAre(Pair("mtia_runtime", 1)));
  EXPECT_FALSE(ReadTrace(R"({"traceEvents": [], "distributedInfo": null})").header.rank);
  EXPECT_EQ(ReadTrace("[]").counts.events, 0);
}

TEST(TorchTraceTest, CountsWhatItLeavesOut) {
  struct Case {
    const char* event;
    DropReason counter;
  };
  const Case cases[] = {
      {"7", DropReason::kElementNotAnObject},
      {R"({"ph":"M"})", DropReason::kMetadataEvent},
      {R"({"ph":"t"})", DropReason::kFlowEvent},
      {R"({"ph":"I"})", DropReason::kInstantEvent},
      {R"({"ph":"Z"})", DropReason::kPhaseUnknown},
      {R"({"ph":88})", DropReason::kPhaseUnknown},
      {R"({})", DropReason::kPhaseUnknown},
      {R"({"ph":"X","cat":"kernel","ts":1})", DropReason::kTimeMissing},
      {R"({"ph":"X","cat":"kernel","dur":1})", DropReason::kTimeMissing},
      {R"({"ph":"X","cat":"x","ts":1,"dur":1})", DropReason::kCategoryNotRead},
      {R"({"ph":"X","cat":"kernel","ts":null,"dur":1})", DropReason::kTimeNotANumber},
      {R"({"ph":"X","cat":"kernel","ts":NaN,"dur":1})", DropReason::kTimeNotANumber},
      {R"({"ph":"X","cat":"kernel","ts":1e99,"dur":1})", DropReason::kTimeOutOfRange},
      {R"({"ph":"X","cat":"kernel","ts":1,"dur":-1})", DropReason::kDurationNegative},
      {R"({"ph":"X","cat":"cuda_runtime","ts":1,"dur":1,"args":null})",
       DropReason::kRuntimeCallWithoutCorrelation},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.event);
    const TraceRows rows = ReadEvents(c.event);
    EXPECT_EQ(rows.counts.events, 1);
    EXPECT_EQ(rows.left_out.Get(c.counter), 1);
    EXPECT_TRUE(rows.gpu_activities.empty());
    EXPECT_TRUE(rows.runtime_calls.empty());
  }
}

TEST(TorchTraceTest, CountsEventsWithoutANameUnderAnEmptyOne) {
  const TraceRows rows = ReadEvents(R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1})");
  ASSERT_EQ(rows.operators.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.operators[0].name), "");
  EXPECT_EQ(rows.left_out.Get(DropReason::kNameMissing), 1);
}

TEST(TorchTraceTest, NamesMeanTheSameHoweverTheyAreWritten) {
  const TraceRows rows = ReadEvents(
      R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"name":"a\"\u00e9\n\ud83d\ude00"},)"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1,\"dur\":1,"
      "\"name\":\"a\\\"\xC3\xA9\\u000a\xF0\x9F\x98\x80\"},"
      R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"name":"\ud83d!"},)"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"ts\":1,\"dur\":1,\"name\":\"\xFFz\"}");
  ASSERT_EQ(rows.operators.size(), 4U);
  EXPECT_EQ(rows.operators[0].name, rows.operators[1].name);
  EXPECT_EQ(rows.names.text(rows.operators[0].name), "a\"\xC3\xA9\n\xF0\x9F\x98\x80");
  EXPECT_EQ(rows.names.text(rows.operators[2].name), "\xEF\xBF\xBD!");
  EXPECT_EQ(rows.names.text(rows.operators[3].name), "\xEF\xBF\xBDz");
  EXPECT_EQ(rows.left_out.Get(DropReason::kNameNotUtf8), 1);
}

TEST(TorchTraceTest, ReadsHugeStringsAndSkipsHugeValues) {
  const std::string huge(3 << 20, 'k');
  const TraceRows rows = ReadTrace(
      R"({"other": [[{"a": ")" + huge + R"("}, 1, true], {}, []], "traceEvents": [)" +
      R"({"ph":"X","cat":"kernel","ts":1,"dur":1,"pid":0,"tid":0,"name":")" + huge +
      R"("}], "after": {"b": ")" + huge + R"("}})");
  ASSERT_EQ(rows.gpu_activities.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.gpu_activities[0].name).size(), huge.size());
}

TEST(TorchTraceTest, AThreadIsAProcessAndAThread) {
  const TraceRows rows =
      ReadEvents(R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"pid":1,"tid":2},)"
                 R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"pid":2,"tid":1},)"
                 R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"pid":1,"tid":"2"},)"
                 R"({"ph":"X","cat":"cpu_op","ts":1,"dur":1,"tid":2,"pid":1})");
  EXPECT_EQ(rows.thread_count, 3U);
  EXPECT_EQ(rows.operators[0].thread, rows.operators[3].thread);
}

TEST(TorchTraceTest, TellsWhereATextIsNoTrace) {
  struct Case {
    const char* what;
    std::string text;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "the file is empty"},
      {"spaces", " \n", "the file is empty"},
      {"a number", "7", "byte 0: expected '{' or '['"},
      {"no events", R"({"a": 1, "b": {}})",
       "not a trace: a JSON object without traceEvents; its keys: a, b"},
      {"an empty object", "{}", "without traceEvents"},
      {"no array", R"({"traceEvents": {}})", "byte 16: traceEvents is not an array"},
      {"twice", R"({"traceEvents": [], "traceEvents": []})",
       "byte 35: duplicate traceEvents"},
      {"no comma", R"([{} {}])", "byte 4: expected ',' or ']' after an event"},
      {"comma at the end", R"([{},])", "byte 4: expected a value"},
      {"no colon", R"([{"ph" "X"}])", "byte 7: expected ':' after a key"},
      {"key without quotes", R"([{ph: "X"}])", "byte 2: expected a key in quotes"},
      {"comma at the end of an object", R"([{"a": 1,}])", "byte 9: expected a key"},
      {"broken args", R"([{"args": {"a" 1}}])", "byte 15: expected ':'"},
      {"number with a zero", "[{\"a\": 01}]", "byte 8: expected ',' or '}'"},
      {"half a number", "[{\"ts\": 1.}]", "byte 10: expected a digit"},
      {"wrong word", "[{\"a\": nul}]", "byte 10: expected a value"},
      {"line in a string", "[{\"a\": \"x\ny\"}]", "byte 9: a control character"},
      {"wrong escape", R"([{"a": "\q"}])", "byte 9: no such escape"},
      {"wrong digits", R"([{"a": "\u12g4"}])", "byte 12: expected four hex digits"},
      {"more behind", "[] x", "byte 3: unexpected data after the trace"},
      {"two traces", "[][]", "byte 2: unexpected data after the trace"},
      {"skipped value", R"({"a": [1, {"b" : 2,}], "traceEvents": []})", "byte 19: "},
      {"wrong bracket", R"({"a": [1}, "traceEvents": []})", "byte 8: "},
      {"too deep", "[{\"a\":" + std::string(5000, '[') + "1", "nested too deeply"},
      {"too deep, skipped", "{\"a\":" + std::string(5000, '['), "nested too deeply"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_THAT(TraceErrorOf(c.text), HasSubstr(c.want));
  }
}

TEST(TorchTraceTest, KnowsItsFilesByTheirBeginning) {
  EXPECT_TRUE(MayBeTorchTrace(R"({"schemaVersion")"));
  EXPECT_TRUE(MayBeTorchTrace("\xEF\xBB\xBF\n { \"a"));
  EXPECT_TRUE(MayBeTorchTrace(" [\n {"));
  EXPECT_TRUE(MayBeTorchTrace("[]"));
  EXPECT_FALSE(MayBeTorchTrace(""));
  EXPECT_FALSE(MayBeTorchTrace("{"));
  EXPECT_FALSE(MayBeTorchTrace("[1"));
  EXPECT_FALSE(MayBeTorchTrace("{ph"));
  EXPECT_FALSE(MayBeTorchTrace("SQLite format 3"));
}

TEST(TorchTraceTest, ReadsBehindAByteOrderMark) {
  const std::string_view text = "\xEF\xBB\xBF[{\"ph\":\"M\"}]";
  EXPECT_EQ(ReadTrace(text).counts.events, 1);
  Trickle source(text, 1);
  EXPECT_TRUE(ReadTorchTrace(source).ok());
}

TEST(TorchTraceTest, ReadsInputsOfOperators) {
  // Types and values are kept if a FLOP rule reads them; names of keys vary.
  const TraceRows rows = ReadEvents(
      R"({"ph":"X","cat":"cpu_op","name":"aten::empty","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::relu","ts":1,"dur":1,"args":)"
      R"({"Input Dims":[[3, 5]],"Input type":["float"],"Concrete Inputs":["x"]}},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":1,"args":)"
      R"({"Input dims":[[3, 5], [5, 7]],"Input type":["float","float"],)"
      R"("Concrete Inputs":["",""]}},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::conv1d","ts":1,"dur":1,"args":)"
      R"({"Input Dims":[[3]],"Input type":["float"],"Concrete Inputs":["7"]}},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::empty","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::relu","ts":1,"dur":1,"args":)"
      R"({"Input Dims":[[3, 5]]}})");
  using namespace std::string_literals;
  ASSERT_EQ(rows.operator_inputs.size(), 6U);
  EXPECT_THAT(rows.operator_inputs, ElementsAre(0, 1, 2, 3, 0, 1));
  EXPECT_EQ(rows.inputs.text(0), "");
  EXPECT_EQ(rows.inputs.text(1), "[[3, 5]]");
  EXPECT_EQ(rows.inputs.text(2), "[[3, 5], [5, 7]]\0[\"float\",\"float\"]"s);
  EXPECT_EQ(rows.inputs.text(3), "[[3]]\0[\"float\"]\0[\"7\"]"s);
}

TEST(TorchTraceTest, HasNoInputsWhereNoneAreRecorded) {
  const TraceRows rows =
      ReadEvents(R"({"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":1},)"
                 R"({"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":1,)"
                 R"("args":{"Input Dims":null,"Input Sizes":[]}})");
  EXPECT_EQ(rows.operator_inputs.size(), 1U + 1U);
  EXPECT_TRUE(ParseOperatorInputs(rows.inputs.text(rows.operator_inputs[1])).empty());
}

TEST(TorchTraceTest, ReadsTracesOfPyTorchWithoutKineto) {
  const TraceRows rows = ReadEvents(
      R"({"name":"aten::mm","ph":"X","ts":12,"dur":3,"tid":1,"pid":"CPU functions",)"
      R"("args":{}},)"
      R"({"name":"aten::mm","ph":"X","ts":12,"dur":3,"tid":1,"pid":7,"args":{}})");
  ASSERT_EQ(rows.operators.size(), 1U);
  EXPECT_EQ(rows.names.text(rows.operators[0].name), "aten::mm");
  EXPECT_EQ(rows.left_out.Get(DropReason::kCategoryNotRead), 1);
}

TEST(TorchTraceTest, ReadsProfilerStepsAsAnnotationsWhateverTheirCategory) {
  struct Case {
    const char* what;
    const char* place;
  };
  const Case cases[] = {{"2021", R"("cat":"Operator","pid":7)"},
                        {"without Kineto", R"("pid":"CPU functions")"},
                        {"now", R"("cat":"user_annotation","pid":7)"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const TraceRows rows =
        ReadEvents(R"({"name":"ProfilerStep#3","ph":"X","ts":1,"dur":9,"tid":1,)" +
                   std::string(c.place) + R"(,"args":{"Input Dims":[]}},)" +
                   R"({"name":"aten::mm","ph":"X","ts":2,"dur":3,"tid":1,"pid":7,)" +
                   R"("cat":"cpu_op","args":{"Input Dims":[[1,1],[1,1]]}})");
    ASSERT_EQ(rows.operators.size(), 1U);
    EXPECT_EQ(rows.names.text(rows.operators[0].name), "aten::mm");
    EXPECT_EQ(rows.operator_inputs.size(), 1U);
    ASSERT_EQ(rows.annotations.size(), 1U);
    EXPECT_EQ(rows.names.text(rows.annotations[0].name), "ProfilerStep#3");
  }
}

}  // namespace
}  // namespace ridgeline::profiles
