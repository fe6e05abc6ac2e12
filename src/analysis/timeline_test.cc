#include "analysis/timeline.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "analysis/testing/gpu_rows.h"

namespace ridgeline::analysis {
namespace {

using results::NsysRows;
using results::TraceRows;
using testing::ElementsAre;
using testing::SizeIs;

constexpr size_t kPlenty = 1000;

// "group title/depth: name@start+duration ..."
std::vector<std::string> LinesOf(const Timeline& timeline) {
  std::vector<std::string> lines;
  for (const TimelineLane& lane : timeline.lanes) {
    std::string line = std::string(NameOf(lane.group)) + " " + lane.title + "/" +
                       std::to_string(lane.depth) + ":";
    for (const TimelineBlock& block : lane.blocks) {
      line += " " + timeline.names[block.name] + "@" + std::to_string(block.start_ns) +
              "+" + std::to_string(block.duration_ns);
      if (block.count > 1) line += "x" + std::to_string(block.count);
    }
    lines.push_back(line);
  }
  return lines;
}

void AddOperator(TraceRows& rows, const char* name, int64_t start_ns, int64_t end_ns,
                 uint32_t thread = 0) {
  rows.operators.push_back(
      {start_ns, end_ns - start_ns, rows.names.Intern(name), thread});
}

TEST(TimelineTest, WhatLiesInsideIsOneDeeper) {
  TraceRows rows = GpuRows({{"gemm", 130, 150}, {"copy", 160, 170, 1}});
  AddOperator(rows, "inner", 110, 120);
  AddOperator(rows, "outer", 100, 140);
  AddOperator(rows, "outer", 140, 160);
  AddOperator(rows, "other", 105, 106, 1);
  rows.annotations.push_back({100, 200, rows.names.Intern("decode"), 0});
  const Timeline timeline = TimelineOf(rows, kPlenty);
  EXPECT_THAT(
      LinesOf(timeline),
      ElementsAre("regions thread 1/0: decode@0+200",
                  "operators thread 1/0: outer@0+40 outer@40+20",
                  "operators thread 1/1: inner@10+10", "operators thread 2/0: other@5+1",
                  "gpu GPU 0, stream 7/0: gemm@30+20",
                  "gpu GPU 0, stream 20/0: copy@60+10"));
  EXPECT_THAT(timeline.names,
              ElementsAre("decode", "outer", "inner", "other", "gemm", "copy"));
  EXPECT_THAT(timeline.kinds, ElementsAre("", "", "", "", "gemm", "copy"));
  EXPECT_EQ(timeline.span_ns, 200);
  EXPECT_EQ(timeline.events, 7);
  EXPECT_EQ(timeline.merged, 0);
  EXPECT_EQ(timeline.resolution_ns, 0);
}

TEST(TimelineTest, RangesOfAProcessHaveATrackOfTheirOwn) {
  NsysRows rows;
  rows.processes = {1};
  rows.threads = {{.global_tid = 1, .process = 0}};
  rows.domains = {{}};
  rows.nvtx_ranges = {{.start_ns = 10, .end_ns = 40, .name = rows.names.Intern("page")},
                      {.start_ns = 20,
                       .end_ns = 60,
                       .name = rows.names.Intern("request"),
                       .kind = results::NvtxKind::kStartEnd}};
  EXPECT_THAT(
      LinesOf(TimelineOf(rows, kPlenty)),
      ElementsAre("regions thread 1/0: page@0+30", "regions process 1/0: request@10+40"));
}

TEST(TimelineTest, ShortEventsAreMergedAndLongOnesStay) {
  std::vector<TestActivity> activities;
  for (int64_t i = 0; i < 100; ++i) {
    activities.push_back(
        {i == 50 ? "longer" : "short", i * 10, i * 10 + (i == 50 ? 8 : 5)});
  }
  activities.push_back({"long", 1'000, 1'000'000});
  const Timeline timeline = TimelineOf(GpuRows(activities), 5);
  ASSERT_THAT(timeline.lanes, SizeIs(1));
  const std::vector<TimelineBlock>& blocks = timeline.lanes[0].blocks;
  ASSERT_LE(blocks.size(), 5U);
  EXPECT_EQ(timeline.names[blocks.back().name], "long");
  EXPECT_EQ(blocks.back().count, 1U);
  EXPECT_EQ(blocks.back().busy_ns, 999'000);
  EXPECT_EQ(timeline.merged, 100);
  EXPECT_EQ(timeline.events, 101);
  EXPECT_GT(timeline.resolution_ns, 0);
  int64_t busy_ns = 0;
  for (const TimelineBlock& block : blocks) busy_ns += block.busy_ns;
  EXPECT_EQ(busy_ns, 99 * 5 + 8 + 999'000);
}

// Merging never loses events, and blocks stay in order and within the limit.
TEST(TimelineTest, MergingKeepsEventsAndTimes) {
  std::mt19937 random(1);
  for (const size_t most : {1, 7, 100, 5000}) {
    std::vector<TestActivity> activities;
    int64_t at_ns = 0;
    int64_t busy_ns = 0;
    for (int i = 0; i < 5000; ++i) {
      at_ns += random() % 100;
      const int64_t length_ns = 1 + random() % (random() % 10 == 0 ? 10'000 : 100);
      activities.push_back({"k", at_ns, at_ns + length_ns});
      at_ns += length_ns;
      busy_ns += length_ns;
    }
    const Timeline timeline = TimelineOf(GpuRows(activities), most);
    ASSERT_THAT(timeline.lanes, SizeIs(1)) << most;
    int64_t events = 0;
    int64_t end_ns = 0;
    for (const TimelineBlock& block : timeline.lanes[0].blocks) {
      EXPECT_GE(block.start_ns, end_ns);
      EXPECT_LE(block.busy_ns, block.duration_ns);
      EXPECT_LE(block.longest_ns, block.busy_ns);
      end_ns = block.end_ns();
      events += block.count;
      busy_ns -= block.busy_ns;
    }
    EXPECT_LE(timeline.lanes[0].blocks.size(), most);
    EXPECT_EQ(events, 5000) << most;
    EXPECT_EQ(busy_ns, 0) << most;
    EXPECT_LE(end_ns, timeline.span_ns);
  }
}

TEST(TimelineTest, WhatIsTooDeepOrOnTooManyTracksIsCounted) {
  TraceRows rows;
  for (int64_t depth = 0; depth < 20; ++depth) {
    AddOperator(rows, "nested", depth, 100 - depth);
  }
  for (uint32_t thread = 1; thread <= 70; ++thread) {
    AddOperator(rows, "once", 0, 1, thread);
  }
  const Timeline timeline = TimelineOf(rows, kPlenty);
  EXPECT_THAT(timeline.lanes, SizeIs(12 + 63));
  EXPECT_EQ(timeline.left_out, 8 + 7);
  EXPECT_EQ(timeline.events, 90);
}

TEST(TimelineTest, NamesAreShortAndNotTooMany) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i)
    texts.push_back(std::to_string(i) + std::string(300, 'n'));
  TraceRows rows;
  for (int64_t i = 0; i < 5000; ++i) {
    AddOperator(rows, texts[static_cast<size_t>(i)].c_str(), i * 10, i * 10 + 5);
  }
  AddOperator(rows, (std::string(199, 'a') + "é").c_str(), -10, -5);
  const Timeline timeline = TimelineOf(rows, 10'000);
  EXPECT_EQ(timeline.names.front(), std::string(199, 'a') + "…");
  EXPECT_EQ(timeline.names.back(), "(too many names)");
  size_t bytes = 0;
  for (const std::string& name : timeline.names) bytes += name.size();
  EXPECT_LT(bytes, 510'000U);
}

TEST(TimelineTest, NumbersThatNoClockShowsDoNoHarm) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  TraceRows rows;
  rows.operators = {{kLeast, kMost, rows.names.Intern("a"), 0},
                    {kMost, kMost, rows.names.Intern("b"), 0},
                    {0, kMost, rows.names.Intern("c"), 0}};
  EXPECT_EQ(TimelineOf(rows, 1).events, 3);
  EXPECT_EQ(TimelineOf(TraceRows(), 1).lanes.size(), 0U);
}

}  // namespace
}  // namespace ridgeline::analysis
