#pragma once

#include <vector>

#include "report/sections/operators.h"
#include "results/trace_rows.h"

namespace ridgeline::stages {

// GPU time by the operator that launched it, the most first; none without a GPU.
std::vector<report::OperatorDeviceTime> DeviceTimesOf(const results::TraceRows& rows);

}  // namespace ridgeline::stages
