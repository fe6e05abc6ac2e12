// <stage>/ranks/rank3.json: how one rank of a workload ran. Written atomically, twice, by
// the process that starts the rank: at the start and at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::ranks {

struct RankStatus {
  int64_t rank = 0;
  std::optional<int64_t> local_rank;
  std::optional<int64_t> world_size;
  std::string host;
  int64_t pid = 0;      // Of `ridgeline rank-exec`.
  std::string started;  // ISO 8601 with offset.
  int64_t started_unix_ns = 0;
  std::map<std::string, std::string> environment;  // See RankVariables.
  // Everything below is only set if it has ended.
  std::optional<int64_t> ended_unix_ns;
  std::optional<int> exit_code;
  std::optional<int> signal;          // The signal that ended it.
  std::optional<int> interrupted_by;  // Received and forwarded.
  double wall_s = 0;
  double user_s = 0;
  double system_s = 0;
  int64_t peak_rss_bytes = 0;
  int leftover_processes = 0;
  int64_t output_bytes = 0;
  std::string error;  // Why it could not be started; empty: it was.

  bool operator==(const RankStatus&) const = default;
};

std::string ToJson(const RankStatus& status);
Result<RankStatus> ParseRankStatus(std::string_view json, std::string_view origin);

std::filesystem::path StatusFile(const std::filesystem::path& directory, int64_t rank);

}  // namespace ridgeline::ranks
