#include "collectors/nvtx/listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ridgeline::nvtx {
namespace {

using testing::HasSubstr;

RangeRow Row(const char* label, std::vector<std::string> path, int64_t opened,
             std::optional<RangeTimes> times) {
  return {.label = label,
          .path = std::move(path),
          .opened = opened,
          .closed = times ? opened : 0,
          .times = times,
          .threads = 1};
}

ProcessEvents Process(int64_t pid, std::vector<RangeRow> ranges) {
  return {.pid = pid,
          .program = "/opt/serve",
          .complete = true,
          .threads = 1,
          .ranges = std::move(ranges)};
}

TEST(MergeListingsTest, AddsUpThreadsAndProcesses) {
  const ProcessEvents processes[] = {
      Process(1, {Row("prefill", {}, 2, RangeTimes{30, 10, 20}),
                  Row("sam", {"prefill"}, 1, RangeTimes{5, 5, 5}),
                  Row("prefill", {}, 1, RangeTimes{7, 7, 7})}),
      Process(2, {Row("sam", {"prefill"}, 1, std::nullopt),
                  Row("prefill", {}, 1, RangeTimes{40, 40, 40})}),
  };
  const Listing listing = Merge(processes);
  RangeRow prefill = Row("prefill", {}, 4, RangeTimes{77, 7, 40});
  prefill.threads = 3;
  prefill.processes = 2;
  RangeRow sam = Row("sam", {"prefill"}, 2, RangeTimes{5, 5, 5});
  sam.closed = 1;
  sam.threads = 2;
  sam.processes = 2;
  EXPECT_EQ(listing.ranges, (std::vector<RangeRow>{prefill, sam}));
  EXPECT_EQ(listing.processes.size(), 2u);
}

TEST(MergeListingsTest, KeepsApartWhatIsNotTheSame) {
  const RangeRow row = Row("a", {}, 1, std::nullopt);
  struct Case {
    const char* what;
    RangeRow other;
  };
  RangeRow domain = row;
  domain.domain = "engine";
  RangeRow kind = row;
  kind.kind = RangeKind::kStartEnd;
  RangeRow registered = row;
  registered.registered = true;
  RangeRow wide = row;
  wide.wide = true;
  const Case cases[] = {
      {"label", Row("b", {}, 1, std::nullopt)},
      {"place", Row("a", {"b"}, 1, std::nullopt)},
      {"place with a slash", Row("a", {"b/c"}, 1, std::nullopt)},
      {"domain", domain},
      {"kind", kind},
      {"registered or not", registered},
      {"wide or not", wide},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProcessEvents process = Process(1, {row, c.other});
    EXPECT_EQ(Merge({&process, 1}).ranges.size(), 2u);
  }
  const ProcessEvents slashes = Process(
      1, {Row("a", {"b/c"}, 1, std::nullopt), Row("a", {"b", "c"}, 1, std::nullopt)});
  EXPECT_EQ(Merge({&slashes, 1}).ranges.size(), 2u);
}

TEST(MergeListingsTest, NeverPassesTheLargestNumber) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const ProcessEvents process =
      Process(1, {Row("a", {}, kMost, RangeTimes{kMost, 1, 2}),
                  Row("a", {}, kMost, RangeTimes{kMost, 1, 2})});
  const Listing listing = Merge({&process, 1});
  EXPECT_EQ(listing.ranges[0].opened, kMost);
  EXPECT_EQ(listing.ranges[0].times->total_ns, kMost);
}

TEST(ListingTextTest, IsAlignedAndTellsWhatIsMissing) {
  RangeRow tick = Row("tick", {"prefill", "sam"}, 12, std::nullopt);
  tick.kind = RangeKind::kMark;
  tick.domain = "engine";
  tick.registered = true;
  RangeRow open = Row("\xE8\xA7\xA3\n", {}, 2, RangeTimes{2'500'000'000, 1, 2});
  open.closed = 1;
  ProcessEvents process =
      Process(1, {Row("prefill", {}, 2, RangeTimes{30'200, 200, 30'000}), tick, open});
  process.complete = false;
  process.left_out.ranges = 4;
  const Listing listing = Merge({&process, 1});
  EXPECT_EQ(
      ToText(listing),
      "label    domain     kind      count    total     mean     min      max  "
      "registered  threads  parent\n"
      "prefill  (default)  push/pop      2  30.2 us  15.1 us  200 ns  30.0 us  no        "
      "        1\n"
      "tick     engine     mark         12        -        -       -        -  yes       "
      "        1  prefill/sam\n"
      "\xE8\xA7\xA3\\x0a    (default)  push/pop      2   2.50 s   2.50 s    1 ns     2 "
      "ns  no                1\n"
      "note: rows with a range still open at exit; its time is not counted: 1\n"
      "note: processes killed or ended by _exit(); their last 0.1 s may be missing: 1\n"
      "note: ranges dropped: more than 65536 labels: 4\n");
}

TEST(ListingTextTest, SaysWhyThereMayBeNone) {
  EXPECT_THAT(ToText({}), HasSubstr("no NVTX ranges found"));
  EXPECT_THAT(ToText({}), HasSubstr("NVTX_DISABLE"));
}

}  // namespace
}  // namespace ridgeline::nvtx
