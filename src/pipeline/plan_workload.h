#pragma once

#include <functional>
#include <string>

#include "os/command.h"
#include "pipeline/stage.h"
#include "pipeline/workload.h"

namespace ridgeline::pipeline {

// A stage's command wrapped around the workload's. Files it names get `suffix` in their
// names: ".rank3" for a rank, else empty.
using WrapWorkload =
    std::function<os::Command(const os::Command& workload, const std::string& suffix)>;

// The only place where "start this" becomes "start this on every rank": sets `command` of
// `planned` and, for a workload with ranks, the commands of the ranks. Ranks that are not
// profiled run the plain workload, because collectives need all of them.
PlannedCommand PlanWorkload(const StagePlace& place, const WorkloadPlace& workload,
                            PlannedCommand planned, const WrapWorkload& wrap = nullptr);

// The file with the commands of the ranks for the launcher, in
// StagePlace::workload_scratch.
inline constexpr const char* kRankPlanFile = "ranks.json";

}  // namespace ridgeline::pipeline
