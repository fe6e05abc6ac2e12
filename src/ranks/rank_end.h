// How the ranks of a workload ended, from the status file of each.
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
  // As if we had run it ourselves; `output` is the tail of its log.
  os::ProcessResult process;
  std::optional<int64_t> ended_unix_ns;
};

struct RanksEnd {
  os::ProcessResult launcher;
  std::vector<RankEnd> ranks;  // By rank.

  // The first one to fail; null: none failed.
  const RankEnd* FirstFailed() const;
  std::vector<int64_t> RanksIn(artifacts::RankState state) const;
  // From the start of the first rank to that of the last; empty: fewer than two started.
  std::optional<double> StartSkew() const;
  // The launcher's result, but failed if a rank failed or is missing: with the exit code
  // and the output of the first that failed. CPU time is the sum over all ranks, memory
  // the maximum.
  os::ProcessResult AsOneProcess() const;
};

struct RankFiles {
  std::filesystem::path status_directory;
  std::vector<std::filesystem::path> logs;  // By rank.
};

// `launcher` is the result of the launcher itself.
RanksEnd ReadRanksEnd(const RankFiles& files, const os::ProcessResult& launcher);

// Why the workload as a whole failed; see RankOutcomes() for the names.
struct RankFailure {
  std::string outcome;  // "RankFailed"; empty: interrupted by the user.
  std::string text;
};

// Empty: every rank succeeded.
std::optional<RankFailure> FailureOf(const RanksEnd& end);

// "rank 3 on node1"
std::string NameOf(const artifacts::RankRecord& rank);

// "rank 2", "ranks 0, 1, 3", "ranks 0-5, 7".
std::string RankList(const std::vector<int64_t>& ranks);

// The last non-blank line, shortened for messages. If it is indented, as in an error with
// a list, it follows the line above the list: "2 of 5 pages not found: ... 'b.png'".
std::string LastLine(std::string_view output);

}  // namespace ridgeline::ranks
