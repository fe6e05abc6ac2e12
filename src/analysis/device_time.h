// How did the GPUs spend their time?
#pragma once

#include <vector>

#include "analysis/launch_index.h"
#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// One row per device, in the order of TraceRows::devices, whose indexes they hold.
//
// Busy, idle and gaps are of everything that runs on any stream of the device; what was
// launched before the trace began counts, and is left out of the fields
// `launched_inside_*`. Activities that last no time count, but split no gap.
std::vector<results::DeviceTime> DeviceTimes(const results::TraceRows& rows,
                                             const LaunchIndex& launches);

}  // namespace ridgeline::analysis
