#include "pipeline/plan_workload.h"

#include "os/env.h"
#include "ranks/launcher.h"

namespace ridgeline::pipeline {

PlannedCommand PlanWorkload(const StagePlace& place, const WorkloadPlace& workload,
                            PlannedCommand planned, const WrapWorkload& wrap) {
  const auto wrapped = [&wrap](os::Command command, const std::string& suffix) {
    return wrap ? wrap(command, suffix) : command;
  };
  const ranks::RankOptions* const options = place.workload.ranks();
  if (options == nullptr) {
    planned.command = wrapped(place.workload.AsCommand(workload), "");
    return planned;
  }
  planned.ranks.clear();
  for (int64_t rank = 0; rank < options->count; ++rank) {
    WorkloadPlace of_rank = workload;
    of_rank.rank = rank;
    const bool is_profiled = options->IsProfiled(rank);
    of_rank.observed = workload.observed && is_profiled;
    os::Command command = place.workload.AsCommand(of_rank);
    if (is_profiled) command = wrapped(command, "." + ranks::RankName(rank));
    planned.ranks.push_back({std::move(command), is_profiled});
  }
  const Result<std::filesystem::path> us = os::ExecutablePath();
  planned.command = ranks::LauncherCommand(*options, us.ok() ? us.value() : "ridgeline",
                                           place.workload_scratch / kRankPlanFile);
  return planned;
}

}  // namespace ridgeline::pipeline
