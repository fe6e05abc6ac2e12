// How the ranks of a workload ended, from the status that each of them left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "artifacts/manifest.h"
#include "os/process_runner.h"

namespace ridgeline::ranks {

struct RankEnd {
  artifacts::RankRecord record;
  // As if we had run it ourselves; `output` is the end of its log.
  os::ProcessResult process;
  std::optional<int64_t> ended_unix_ns;
};

struct RanksEnd {
  os::ProcessResult launcher;
  std::vector<RankEnd> ranks;  // By rank.

  // The one whose failure came first; null: none failed.
  const RankEnd* FirstFailed() const;
  std::vector<int64_t> RanksIn(artifacts::RankState state) const;
  // From the start of the first rank to that of the last one; nothing: less than two
  // started.
  std::optional<double> StartSkew() const;
  // Of the launcher, but failed if a rank failed or is missing: with the exit code and
  // the output of the first that failed. CPU time is the sum of all ranks, memory the
  // maximum.
  os::ProcessResult AsOneProcess() const;
};

struct RankFiles {
  std::filesystem::path status_directory;
  std::vector<std::filesystem::path> logs;  // By rank.
};

// `launcher` is how the launcher itself ended.
RanksEnd ReadRanksEnd(const RankFiles& files, const os::ProcessResult& launcher);

// Why the workload as a whole did not end well; the names are those of RankOutcomes().
struct RankFailure {
  std::string outcome;  // "RankFailed"; empty: interrupted by the user.
  std::string text;
};

// Nothing: every rank succeeded.
std::optional<RankFailure> FailureOf(const RanksEnd& end);

// "rank 3 on node1"
std::string NameOf(const artifacts::RankRecord& rank);

// "rank 2", "ranks 0, 1, 3", "ranks 0-5, 7".
std::string RankList(const std::vector<int64_t>& ranks);

// The last line that is not blank, short enough for a message.
std::string LastLine(std::string_view output);

}  // namespace ridgeline::ranks
