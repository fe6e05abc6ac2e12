// The launcher `local`: all ranks on this machine, as torchrun would start them.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "os/process_runner.h"
#include "ranks/rank_plan.h"

namespace ridgeline::ranks {

// Starts `ridgeline rank-exec PLAN` for every rank and waits for all. If one fails, the
// others get SIGTERM and, after the grace period, SIGKILL. Returns the exit code of the
// first that failed, or 0. `print` receives the output of the processes themselves.
Result<int> RunLocalRanks(const RankPlan& plan, const std::filesystem::path& plan_file,
                          os::ProcessRunner& processes,
                          const std::function<void(std::string_view)>& print);

}  // namespace ridgeline::ranks
