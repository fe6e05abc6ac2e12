// The commands of all ranks as a file: the launcher starts `ridgeline rank-exec PLAN` for
// each rank, on any host, and each looks up its command there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/command.h"
#include "ranks/rank_options.h"

namespace ridgeline::ranks {

struct RankTask {
  os::Command command;
  std::string log;           // Path of its output.
  bool takes_turns = false;  // Does not start at the same time as others on its host.

  bool operator==(const RankTask&) const = default;
};

struct RankPlan {
  Launcher launcher = Launcher::kLocal;
  std::filesystem::path status_directory;  // Exists; on a shared file system.
  double grace_s = 5;                      // Between SIGTERM and SIGKILL.
  // Each rank gets its own TMPDIR on its host, removed afterwards, with links to these
  // names in the host's TMPDIR.
  bool has_private_temporary = false;
  std::vector<std::string> shared_temporaries;
  std::vector<RankTask> tasks;  // By rank.

  bool operator==(const RankPlan&) const = default;
};

std::string ToJson(const RankPlan& plan);
Result<RankPlan> ParseRankPlan(std::string_view json, std::string_view origin);

}  // namespace ridgeline::ranks
