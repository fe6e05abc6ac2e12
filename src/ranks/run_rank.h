// Implementation of `ridgeline rank-exec`: runs one rank, in the process started by the
// launcher.
#pragma once

#include "base/result.h"
#include "os/signal_watch.h"
#include "ranks/launcher.h"
#include "ranks/rank_plan.h"

namespace ridgeline::ranks {

// Runs the command of one rank with its log, and writes its status before and after.
// Returns the exit code for the launcher: that of the command, or 127 or 126 if it could
// not be started. `signals` are forwarded to it. An error: the rank has no command, or
// its status could not be written.
Result<int> RunRank(const RankPlan& plan, const RankIdentity& identity,
                    const os::SignalWatch& signals);

}  // namespace ridgeline::ranks
