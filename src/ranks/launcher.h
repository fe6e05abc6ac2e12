// Properties of each launcher: its command line, and the variables with which it passes a
// process its rank.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/command.h"
#include "ranks/rank_options.h"

namespace ridgeline::ranks {

std::string_view ToText(Launcher launcher);  // "srun"
std::optional<Launcher> LauncherOf(std::string_view text);

// The launcher's program: "srun"; empty for kLocal.
std::string ProgramOf(const RankOptions& options);

// Starts `ridgeline rank-exec PLAN` once per rank.
os::Command LauncherCommand(const RankOptions& options,
                            const std::filesystem::path& ridgeline,
                            const std::filesystem::path& plan);

// The rank of a process, from the variables of its launcher.
struct RankIdentity {
  int64_t rank = 0;
  std::optional<int64_t> local_rank;
  std::optional<int64_t> world_size;

  bool operator==(const RankIdentity&) const = default;
};

// The error names the missing variables.
Result<RankIdentity> IdentityOf(Launcher launcher,
                                const std::map<std::string, std::string>& environment);

// The variables set by torchrun, for ranks that we start ourselves.
std::map<std::string, std::string> LocalVariables(int64_t rank, int64_t count,
                                                  int master_port);

// The variables of `environment` that determine how ranks find each other and their
// devices, without secrets.
std::map<std::string, std::string> RankVariables(
    const std::map<std::string, std::string>& environment);

// "workload.log" -> "workload.rank3.log".
std::string RankFile(const std::string& name, int64_t rank);

// "rank3", used in names of files and directories.
std::string RankName(int64_t rank);

// Whether the name contains this rank: "nsys/run.rank3.node1.sqlite", "a/rank3/b.json".
bool IsOfRank(std::string_view path, int64_t rank);

}  // namespace ridgeline::ranks
