#include <gtest/gtest.h>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::profiles {
namespace {

RecordedThread Thread(std::vector<Event> events) {
  RecordedThread thread{
      .id = 1, .events = EventRing(EventRing::kChunkBytes), .lost = {}, .memory = {}};
  for (const Event& event : events) thread.events.Append(event);
  return thread;
}

Recording TwoOperators() {
  Recording recording;
  recording.names = {"aten::add", "aten::linear", "aten::add"};  // Last: of thread 2.
  recording.scopes = {""};
  recording.shapes = {{"[]", "[]"}, {"[[2]]", "[\"float\"]"}, {"[[3]]", "[\"float\"]"}};
  recording.threads.push_back(Thread(
      {{.duration_ns = 5, .self_ns = 5, .bytes_self = 8, .bytes_total = 8, .shapes = 1},
       {.duration_ns = 9,
        .self_ns = 4,
        .bytes_total = 8,
        .flops = 6,
        .name = 1,
        .shapes = 2}}));
  recording.threads.push_back(
      Thread({{.duration_ns = 2, .self_ns = 2, .name = 2, .shapes = 2},
              {.duration_ns = 3,
               .self_ns = 1,
               .name = 2,
               .shapes = 2,
               .is_within_same_name = true}}));
  return recording;
}

TEST(OperatorTable, AddsUpByNameOverThreads) {
  EXPECT_EQ(OperatorTable(TwoOperators(), GroupBy::kName),
            (std::vector<OperatorRow>{{"aten::add",
                                       std::nullopt,
                                       {.calls = 3,
                                        .self_ns = 8,
                                        .total_ns = 7,  // Without the nested call.
                                        .longest_ns = 5,
                                        .bytes_self = 8,
                                        .bytes_total = 8}},
                                      {"aten::linear",
                                       std::nullopt,
                                       {.calls = 1,
                                        .self_ns = 4,
                                        .total_ns = 9,
                                        .longest_ns = 9,
                                        .bytes_total = 8,
                                        .flops = 6}}}));
}

TEST(OperatorTable, TellsInputsApartWhenAsked) {
  const std::vector<OperatorRow> rows =
      OperatorTable(TwoOperators(), GroupBy::kNameAndShapes);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows[0].shapes, "[[2]]");
  EXPECT_EQ(rows[1].name, "aten::linear");
  EXPECT_EQ(rows[2].shapes, "[[3]]");
  EXPECT_EQ(rows[2].total.calls, 2);
}

TEST(OperatorTable, CountsWhatTheRingHasLost) {
  Recording recording = TwoOperators();
  recording.threads[0].lost.Add({0, 1}, {.calls = 10, .self_ns = 100, .total_ns = 100});
  const std::vector<OperatorRow> rows = OperatorTable(recording, GroupBy::kName);
  EXPECT_EQ(rows[0].total.calls, 13);
  EXPECT_EQ(rows[0].total.self_ns, 108);
}

}  // namespace
}  // namespace ridgeline::profiles
