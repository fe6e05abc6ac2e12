#include "inference/recorder/op_recorder.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "inference/region.h"
#include "inference/scope.h"
#include "profiles/operators/operator_profile.h"

namespace ridgeline::inference {
namespace {

using profiles::Event;
using profiles::GroupBy;
using profiles::OperatorRow;
using profiles::OperatorTable;
using profiles::Recording;

// a (2x3) b (3x4) in a scope, in a region.
void Multiply() {
  const Region region("prefill");
  const Scope layer("layer", 1);
  const Scope q("q");
  at::linear(at::ones({2, 3}), at::ones({4, 3}));
}

Recording Record(const RecorderOptions& options) {
  const c10::InferenceMode no_gradients;
  OpRecorder recorder(options);
  Multiply();
  return recorder.Finish();
}

std::vector<std::string> Names(const Recording& recording, const std::string& first) {
  std::vector<std::string> names;
  for (const OperatorRow& row : OperatorTable(recording, GroupBy::kName)) {
    if (row.name.starts_with(first)) names.push_back(row.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Events with this name.
std::vector<Event> Find(const Recording& recording, const std::string& name) {
  std::vector<Event> found;
  for (const profiles::RecordedThread& thread : recording.threads) {
    thread.events.ForEach([&](const Event& event) {
      if (recording.names[event.name] == name) found.push_back(event);
    });
  }
  return found;
}

TEST(OpRecorder, SeesOperatorsRegionsAndScopes) {
  const Recording recording = Record({});
  ASSERT_EQ(recording.threads.size(), 1);
  EXPECT_EQ(recording.threads[0].unmatched, 0);
  const std::vector<Event> region = Find(recording, "prefill");
  const std::vector<Event> linear = Find(recording, "aten::linear");
  ASSERT_EQ(region.size(), 1);
  ASSERT_EQ(linear.size(), 1);
  EXPECT_EQ(region[0].kind, profiles::EventKind::kAnnotation);
  EXPECT_EQ(linear[0].kind, profiles::EventKind::kOperator);
  EXPECT_EQ(region[0].depth, 0);
  EXPECT_EQ(linear[0].depth, 1);
  EXPECT_EQ(recording.scopes[linear[0].scope], "layer1.q");
  EXPECT_EQ(recording.scopes[region[0].scope], "");
  EXPECT_GE(linear[0].start_ns, region[0].start_ns);
  EXPECT_LE(linear[0].start_ns + linear[0].duration_ns,
            region[0].start_ns + region[0].duration_ns + 1);
  EXPECT_LE(region[0].duration_ns, recording.duration_ns);
}

TEST(OpRecorder, SelfTimesAddUpToTheOutermost) {
  const Recording recording = Record({});
  int64_t self_ns = 0;
  size_t events = 0;
  recording.threads[0].events.ForEach([&](const Event& event) {
    self_ns += event.self_ns;
    ++events;
  });
  // Each is rounded to a nanosecond.
  EXPECT_NEAR(static_cast<double>(self_ns),
              static_cast<double>(Find(recording, "prefill")[0].duration_ns),
              static_cast<double>(events));
}

TEST(OpRecorder, RecordsOnlyWhatIsAskedFor) {
  const Recording plain = Record({});
  const Recording whole = Record({.shapes = true, .memory = true, .stacks = true});
  EXPECT_EQ(Names(plain, "aten::"), Names(whole, "aten::"));

  const Event bare = Find(plain, "aten::linear")[0];
  EXPECT_EQ(plain.shapes.size(), 1);
  EXPECT_EQ(plain.stacks.size(), 1);
  EXPECT_TRUE(plain.threads[0].memory.empty());
  EXPECT_EQ(bare.flops, 0);

  const Event full = Find(whole, "aten::linear")[0];
  EXPECT_EQ(whole.shapes[full.shapes].sizes, "[[2,3],[4,3],[]]");
  EXPECT_EQ(whole.shapes[full.shapes].types, R"(["float","float",""])");
  EXPECT_EQ(full.flops, 2 * 2 * 3 * 4);
  EXPECT_EQ(Find(whole, "prefill")[0].bytes_total, 0);  // All of it was freed.
  EXPECT_GT(full.bytes_total, 0);
  EXPECT_FALSE(whole.threads[0].memory.empty());
  EXPECT_NE(whole.stacks[full.stack].find("at::"), std::string::npos)
      << whole.stacks[full.stack];
}

TEST(OpRecorder, CountsFlopsOnce) {
  const Recording recording = Record({.shapes = true});
  uint64_t flops = 0;
  for (const OperatorRow& row : OperatorTable(recording, GroupBy::kName)) {
    flops += row.total.flops;
  }
  EXPECT_EQ(flops, 2 * 2 * 3 * 4);
}

TEST(OpRecorder, SeesOtherThreads) {
  const at::Tensor x = at::ones({2});
  OpRecorder recorder({});
  at::neg(x);
  std::thread([&x] { at::exp(x); }).join();
  const Recording recording = recorder.Finish();
  ASSERT_EQ(recording.threads.size(), 2);
  EXPECT_NE(recording.threads[0].id, recording.threads[1].id);
  EXPECT_EQ(Find(recording, "aten::exp").size(), 1);
  EXPECT_EQ(Find(recording, "aten::neg").size(), 1);
}

TEST(OpRecorder, KeepsSumsOfWhatItsMemoryCannotHold) {
  const c10::InferenceMode no_gradients;
  const at::Tensor x = at::ones({2});
  constexpr int64_t kCalls = 2 * profiles::EventRing::kChunkEvents + 5;
  OpRecorder recorder({.limit_bytes = profiles::EventRing::kChunkBytes});
  for (int64_t i = 0; i < kCalls; ++i) x.neg_();
  const Recording recording = recorder.Finish();
  EXPECT_EQ(recording.threads[0].events.memory_bytes(), profiles::EventRing::kChunkBytes);
  EXPECT_GT(recording.threads[0].events.lost(), 0);
  const std::vector<OperatorRow> table = OperatorTable(recording, GroupBy::kName);
  const auto neg = std::find_if(table.begin(), table.end(), [](const OperatorRow& row) {
    return row.name == "aten::neg_";
  });
  ASSERT_NE(neg, table.end());
  EXPECT_EQ(neg->total.calls, kCalls);
}

TEST(OpRecorder, StopsAtItsEndAndCanBeginAgain) {
  const Recording first = Record({});
  Multiply();
  const Recording second = Record({});
  EXPECT_EQ(Find(second, "aten::linear").size(), 1);
  EXPECT_EQ(Names(first, ""), Names(second, ""));
}

TEST(OpRecorder, KnowsWhatItCosts) {
  const double cost = RecordingCostNs({});
  EXPECT_TRUE(std::isfinite(cost));
  EXPECT_GT(cost, 0);  // The value depends on the load of the machine.
}

}  // namespace
}  // namespace ridgeline::inference
