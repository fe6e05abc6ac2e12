// ridgeline rank-exec [--all] PLAN: started once per rank by the launcher of a workload
// with ranks; with --all it is the launcher for ranks on this machine.
#include <ostream>

#include "app/commands.h"
#include "os/env.h"
#include "os/files.h"
#include "os/process_runner.h"
#include "os/signal_watch.h"
#include "ranks/launcher.h"
#include "ranks/local_launcher.h"
#include "ranks/rank_plan.h"
#include "ranks/run_rank.h"

namespace ridgeline::app {
namespace {

Result<int> Execute(const std::filesystem::path& file, bool starts_all,
                    const Streams& streams) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(file));
  RIDGELINE_TRY(const ranks::RankPlan plan, ranks::ParseRankPlan(text, file.string()));
  const os::SignalWatch signals;
  if (starts_all) {
    os::SystemProcessRunner processes(&signals);
    return ranks::RunLocalRanks(
        plan, file, processes,
        [&streams](std::string_view bytes) { streams.err << bytes << std::flush; });
  }
  RIDGELINE_TRY(const ranks::RankIdentity identity,
                ranks::IdentityOf(plan.launcher, os::Environment()));
  return ranks::RunRank(plan, identity, signals);
}

}  // namespace

ExitStatus RankExecCommand(std::span<const std::string> arguments,
                           const Streams& streams) {
  const bool starts_all = !arguments.empty() && arguments.front() == "--all";
  if (starts_all) arguments = arguments.subspan(1);
  if (arguments.size() != 1) {
    return Fail(streams, Error(ErrorCode::kConfig,
                               "rank-exec is started by the launcher of a workload with "
                               "ranks; see docs/ranks.md"));
  }
  const Result<int> code = Execute(arguments.front(), starts_all, streams);
  if (!code.ok()) return Fail(streams, code.error());
  return static_cast<ExitStatus>(code.value());
}

}  // namespace ridgeline::app
