#include "profiles/operators/chrome_trace.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::json;

std::string Unzipped(const std::string& gz) {
  z_stream z = {};
  EXPECT_EQ(inflateInit2(&z, 15 + 16), Z_OK);
  std::string text(gz.size() * 1000 + 1000, '\0');
  z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(gz.data()));
  z.avail_in = static_cast<unsigned>(gz.size());
  z.next_out = reinterpret_cast<unsigned char*>(text.data());
  z.avail_out = static_cast<unsigned>(text.size());
  EXPECT_EQ(inflate(&z, Z_FINISH), Z_STREAM_END);
  text.resize(z.total_out);
  inflateEnd(&z);
  return text;
}

Recording OneThread(std::vector<Event> events) {
  Recording recording;
  recording.begin_unix_ns = 1'700'000'000'123'456'789;
  recording.names = {"aten::add", "decode \"</script>\xff"};
  recording.scopes = {"", "decoder.layer3"};
  recording.shapes = {{"[]", "[]"}, {"[[2,3],[]]", "[\"float\",\"Scalar\"]"}};
  recording.stacks = {"", "f(int);main"};
  recording.threads.push_back(
      {.id = 77, .events = EventRing(EventRing::kChunkBytes), .lost = {}, .memory = {}});
  for (const Event& event : events) recording.threads[0].events.Append(event);
  return recording;
}

Json Trace(const Recording& recording) {
  Result<std::string> gz = ChromeTrace(
      recording, {.process_id = 5, .process_name = "model", .recorder = "ridgeline 0"});
  EXPECT_TRUE(gz.ok());
  return Json::parse(Unzipped(gz.value()));
}

TEST(ChromeTrace, HasTheFieldsOfPyTorchsTraces) {
  Recording recording = OneThread({{.start_ns = 1'234'567,
                                    .duration_ns = 1'007,
                                    .flops = 12,
                                    .scope = 1,
                                    .shapes = 1,
                                    .stack = 1}});
  recording.has_shapes = true;
  recording.has_memory = true;
  recording.threads[0].memory.push_back(
      {.time_ns = 2'001, .bytes = -64, .address = 4096, .allocated_bytes = 128});
  const Json trace = Trace(recording);
  EXPECT_EQ(trace["schemaVersion"], 1);
  EXPECT_EQ(trace["record_shapes"], 1);
  EXPECT_EQ(trace["with_stack"], 0);
  EXPECT_EQ(trace["baseTimeNanoseconds"], 1'700'000'000'123'456'789);
  const Json& events = trace["traceEvents"];
  ASSERT_EQ(events.size(), 4);  // The first two name the process and the thread.
  EXPECT_EQ(events[2], Json::parse(R"({"ph": "X", "cat": "cpu_op", "name": "aten::add",
      "pid": 5, "tid": 77, "ts": 1234.567, "dur": 1.007,
      "args": {"External id": 1, "Input Dims": [[2, 3], []],
               "Input type": ["float", "Scalar"],
               "Module Hierarchy": "decoder.layer3", "flops": 12, "Self Bytes": 0,
               "Call stack": "f(int);main"}})"));
  EXPECT_EQ(events[3]["name"], "[memory]");
  EXPECT_EQ(events[3]["ts"], 2.001);
  EXPECT_EQ(events[3]["args"]["Bytes"], -64);
}

TEST(ChromeTrace, KeepsNamesAsTheyAre) {
  const Json trace = Trace(OneThread({{.name = 1, .kind = EventKind::kAnnotation}}));
  EXPECT_EQ(trace["traceEvents"][2]["cat"], "user_annotation");
  EXPECT_EQ(trace["traceEvents"][2]["name"], "decode \"</script>\uFFFD");
  EXPECT_FALSE(trace["traceEvents"][2]["args"].contains("Self Bytes"));
}

TEST(ChromeTrace, IsWholeWhateverItsSize) {
  std::vector<Event> events(5'000);
  for (size_t i = 0; i < events.size(); ++i) {
    events[i].start_ns = static_cast<int64_t>(i) * 1'000;
  }
  EXPECT_EQ(Trace(OneThread(events))["traceEvents"].size(), events.size() + 2);
}

}  // namespace
}  // namespace ridgeline::profiles
