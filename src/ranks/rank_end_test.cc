#include "ranks/rank_end.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"
#include "ranks/rank_status.h"

namespace ridgeline::ranks {
namespace {

using artifacts::RankState;

RankStatus Started(int64_t rank) {
  RankStatus status;
  status.rank = rank;
  status.host = "n1";
  status.started = "2026-11-18T00:00:00.000+00:00";
  status.started_unix_ns = 1'000'000'000 + rank * 10'000'000;
  return status;
}

RankStatus Ended(int64_t rank, int exit_code, int64_t at = 5) {
  RankStatus status = Started(rank);
  status.ended_unix_ns = at;
  status.exit_code = exit_code;
  return status;
}

RankStatus Stopped(int64_t rank) {
  RankStatus status = Ended(rank, 143, 9);
  status.interrupted_by = 15;
  return status;
}

RanksEnd EndOf(const std::vector<RankStatus>& statuses, const os::ProcessResult& launcher,
               const std::string& log_of_rank2 = "") {
  const auto directory = os::ScratchDirectory::Make("ranks");
  RankFiles files = {directory.value().path(), {}};
  for (const RankStatus& status : statuses) {
    EXPECT_TRUE(
        os::WriteFile(StatusFile(files.status_directory, status.rank), ToJson(status))
            .ok());
  }
  for (int rank = 0; rank < 4; ++rank) {
    files.logs.push_back(files.status_directory / (std::to_string(rank) + ".log"));
  }
  EXPECT_TRUE(os::WriteFile(files.logs[2], log_of_rank2).ok());
  return ReadRanksEnd(files, launcher);
}

struct EndCase {
  std::vector<RankStatus> statuses;
  os::ProcessResult launcher;
  const char* outcome;  // Null: OK.
  const char* text;
};

os::ProcessResult LauncherEnd(int exit_code) {
  os::ProcessResult result;
  result.exit_code = exit_code;
  result.output = "------\nsrun: error\n------\n";
  return result;
}

TEST(RankEndTest, NamesWhatWentWrong) {
  os::ProcessResult timeout = LauncherEnd(143);
  timeout.timed_out = true;
  const EndCase cases[] = {
      {{Ended(0, 0), Ended(1, 0), Ended(2, 0), Ended(3, 0)}, LauncherEnd(0), nullptr, ""},
      // Rank 1 failed because of rank 2: it ended later.
      {{Stopped(0), Ended(1, 1, 8), Ended(2, 3, 6), Stopped(3)},
       LauncherEnd(1),
       "RankFailed",
       "rank 2 on n1: exit code 3; failed after it: rank 1; then stopped: ranks 0, 3; "
       "last line of output: boom"},
      {{Ended(0, 0), Ended(1, 0), Ended(2, 0)},
       LauncherEnd(0),
       "RankMissing",
       "rank 3 wrote no status: not started by the launcher, or unable to write to the "
       "run directory; launcher: exit code 0; last line of output: srun: error"},
      {{Ended(0, 0), Stopped(1), Ended(2, 0), Stopped(3)},
       timeout,
       "RankTimedOut",
       "timeout; not ended: ranks 1, 3"},
      // Rank 3 died of the signal before its supervisor got it.
      {{Ended(0, 0), Stopped(1), Ended(2, 0), Ended(3, 143)},
       timeout,
       "RankTimedOut",
       "timeout; not ended: ranks 1, 3"},
      // Rank 2 was killed together with its supervisor.
      {{Ended(0, 0), Ended(1, 0), Started(2), Ended(3, 0)},
       LauncherEnd(137),
       "RankFailed",
       "rank 2 on n1: killed before its end was recorded (out of memory, node failure, "
       "kill -9); last line of output: boom"},
      // The launcher killed the supervisors of the others immediately.
      {{Started(0), Ended(1, 7), Started(2), Started(3)},
       LauncherEnd(7),
       "RankFailed",
       "rank 1 on n1: exit code 7; then stopped: ranks 0, 2, 3"},
      {{Ended(0, 0), Ended(1, 0), Ended(2, 0), Ended(3, 0)},
       LauncherEnd(1),
       "LauncherFailed",
       "every rank started, but the launcher failed: exit code 1; last line of output: "
       "srun: error"},
  };
  for (const EndCase& c : cases) {
    const RanksEnd end = EndOf(c.statuses, c.launcher, "start\nboom\n");
    const auto failure = FailureOf(end);
    EXPECT_EQ(end.AsOneProcess().ok(), c.outcome == nullptr) << c.text;
    ASSERT_EQ(failure.has_value(), c.outcome != nullptr) << c.text;
    if (!failure) continue;
    EXPECT_EQ(failure->outcome, c.outcome);
    EXPECT_EQ(failure->text, c.text);
  }
}

TEST(RankEndTest, AddsUpTheRanks) {
  std::vector<RankStatus> statuses = {Ended(0, 0), Ended(1, 0), Ended(2, 0), Ended(3, 0)};
  for (RankStatus& status : statuses) {
    status.user_s = 1;
    status.peak_rss_bytes = 100 + status.rank;
  }
  const RanksEnd end = EndOf(statuses, LauncherEnd(0));
  EXPECT_EQ(end.AsOneProcess().user_s, 4);
  EXPECT_EQ(end.AsOneProcess().peak_rss_bytes, 103);
  EXPECT_DOUBLE_EQ(end.StartSkew().value(), 0.03);
  EXPECT_EQ(end.ranks[3].record.start_delay_s, 0.03);
  EXPECT_FALSE(EndOf({Ended(2, 0)}, LauncherEnd(0)).StartSkew().has_value());
}

TEST(RankEndTest, AStatusThatCannotBeReadIsMissing) {
  const auto directory = os::ScratchDirectory::Make("ranks");
  const RankFiles files = {directory.value().path(), {"/nonexistent/0.log"}};
  ASSERT_TRUE(os::WriteFile(StatusFile(files.status_directory, 0), "{").ok());
  const RanksEnd end = ReadRanksEnd(files, LauncherEnd(0));
  EXPECT_EQ(end.ranks[0].record.state, RankState::kMissing);
  EXPECT_NE(end.ranks[0].record.last_line.find("rank0.json"), std::string::npos);
}

TEST(RankEndTest, TheEndOfOutputNamesWhatItIsAbout) {
  const std::pair<const char*, const char*> cases[] = {
      {"first\nlast words\n\n", "last words"},
      {"a\nmodel: 2 of 5 pages not found:\n  'a.png'\n  'b.png'\n",
       "model: 2 of 5 pages not found: ... 'b.png'"},
      {"  indented\n  only\n", "only"},
      {"----\nmpirun failed\n  Node: n1\n----\n", "mpirun failed ... Node: n1"},
      {"----\n\n", ""},
      {"", ""},
  };
  for (const auto& [output, want] : cases) EXPECT_EQ(LastLine(output), want) << output;
}

TEST(RankEndTest, ListsRanksShortly) {
  EXPECT_EQ(RankList({2}), "rank 2");
  EXPECT_EQ(RankList({0, 1}), "ranks 0, 1");
  EXPECT_EQ(RankList({0, 1, 2, 5, 7, 8, 9}), "ranks 0-2, 5, 7-9");
}

}  // namespace
}  // namespace ridgeline::ranks
