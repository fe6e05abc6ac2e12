#pragma once

#include <vector>

#include "report/sections/operators.h"
#include "results/trace_rows.h"

namespace ridgeline::stages {

// GPU time by launching operator, in descending order; empty without a GPU.
std::vector<report::OperatorDeviceTime> DeviceTimesOf(const results::TraceRows& rows);

}  // namespace ridgeline::stages
