#include "ranks/rank_status.h"

#include <gtest/gtest.h>

namespace ridgeline::ranks {
namespace {

TEST(RankStatusTest, IsReadBackAsItWasWritten) {
  RankStatus running;
  running.rank = 3;
  running.local_rank = 1;
  running.world_size = 4;
  running.host = "node1";
  running.pid = 7;
  running.started = "2026-11-18T00:00:00.000+00:00";
  running.started_unix_ns = 5;
  running.environment = {{"RANK", "3"}};
  RankStatus ended = running;
  ended.ended_unix_ns = 9;
  ended.exit_code = 139;
  ended.signal = 11;
  ended.interrupted_by = 15;
  ended.wall_s = 1.5;
  ended.user_s = 1;
  ended.system_s = 0.5;
  ended.peak_rss_bytes = 1024;
  ended.leftover_processes = 2;
  ended.output_bytes = 3;
  ended.error = "no such file";
  for (const RankStatus& status : {running, ended}) {
    const auto read = ParseRankStatus(ToJson(status), "s");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read.value(), status);
  }
}

TEST(RankStatusTest, RefusesWhatIsNotAStatus) {
  for (const char* const text :
       {"", "{", "[]", "{}", R"({"schema_version": 2, "rank": 1})",
        R"({"schema_version": 1})"}) {
    EXPECT_FALSE(ParseRankStatus(text, "s").ok()) << text;
  }
}

}  // namespace
}  // namespace ridgeline::ranks
