#include "report/printers/html.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/printers/printers.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

// The data that the page would read from one of its blocks.
Json BlockOf(const std::string& page, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"data-" + id + "\">";
  const size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

SourceTimeline TwoBlocks() {
  SourceTimeline source = {.source = "nsys/run.sqlite", .timeline = {}};
  source.timeline.span_ns = 100;
  source.timeline.names = {"a", "b"};
  source.timeline.lanes.push_back(
      {.group = analysis::LaneGroup::kGpu,
       .title = "GPU 0",
       .depth = 0,
       .blocks = {{.start_ns = 10, .duration_ns = 5, .busy_ns = 5, .name = 1},
                  {.start_ns = 30, .duration_ns = 9, .busy_ns = 7, .count = 3}}});
  return source;
}

TEST(ReportPageTest, HoldsTheReportAsItIs) {
  Document report;
  report.run.workload = "ü";
  report.phases.push_back({.phase = "decode", .mean_s = 0.1});
  EXPECT_EQ(BlockOf(ReportPage(report, {}, {}), "metrics").dump(),
            ToJson(report, /*indent=*/-1));
}

TEST(ReportPageTest, WritesDifferencesOfStarts) {
  const SourceTimeline source = TwoBlocks();
  const Json lane =
      BlockOf(ReportPage({}, {&source, 1}, {}), "timeline")["timelines"][0]["lanes"][0];
  EXPECT_EQ(lane["start"], Json({10, 20}));
  EXPECT_EQ(lane["duration"], Json({5, 9}));
  EXPECT_EQ(lane["name"], Json({1, 0}));
  EXPECT_EQ(lane["count"], Json({1, 3}));
  EXPECT_EQ(lane["busy"], Json({5, 7}));
}

TEST(ReportPageTest, LeavesOutPicturesThatDoNotFit) {
  const Picture pictures[] = {{"small.jpg", "abc"},
                              {"large.jpg", std::string(kMaxPictureBytes, 'x')},
                              {"last.jpg", std::string("\xFF\x00", 2)}};
  const Json block = BlockOf(ReportPage({}, {}, pictures), "pictures");
  EXPECT_EQ(block, Json({{"small.jpg", "data:image/jpeg;base64,YWJj"},
                         {"last.jpg", "data:image/jpeg;base64,/wA="}}));
}

TEST(ReportPageTest, NothingOfTheDataEndsAScript) {
  const std::string hostile = "</script><script>alert(1)</script><!-- \xFF";
  SourceTimeline source = TwoBlocks();
  source.timeline.names[0] = hostile;
  source.timeline.lanes[0].title = hostile;
  source.source = hostile;
  Document report;
  report.run.workload = hostile;
  report.sources.push_back({.file = hostile});
  const Picture picture = {hostile, "abc"};
  const std::string page = ReportPage(report, {&source, 1}, {&picture, 1});
  const std::string harmless = ReportPage({}, {}, {});
  EXPECT_EQ(CountOf(page, "<script"), CountOf(harmless, "<script"));
  EXPECT_EQ(CountOf(page, "</script"), CountOf(harmless, "</script"));
  EXPECT_EQ(CountOf(page, "<!--"), CountOf(harmless, "<!--"));
}

}  // namespace
}  // namespace ridgeline::report
