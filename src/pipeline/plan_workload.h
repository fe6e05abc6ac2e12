#pragma once

#include <functional>
#include <string>

#include "os/command.h"
#include "pipeline/stage.h"
#include "pipeline/workload.h"

namespace ridgeline::pipeline {

// The command of a stage around that of the workload. Files that it names get `suffix` in
// their names: ".rank3" of a rank, else nothing.
using WrapWorkload =
    std::function<os::Command(const os::Command& workload, const std::string& suffix)>;

// The one place where "start this" becomes "start this on every rank": sets `command` of
// `planned` and, for a workload with ranks, the commands of the ranks. Ranks that are not
// profiled run the workload alone: collectives need all of them.
PlannedCommand PlanWorkload(const StagePlace& place, const WorkloadPlace& workload,
                            PlannedCommand planned, const WrapWorkload& wrap = nullptr);

// Where the launcher finds the commands of the ranks, below StagePlace::workload_scratch.
inline constexpr const char* kRankPlanFile = "ranks.json";

}  // namespace ridgeline::pipeline
