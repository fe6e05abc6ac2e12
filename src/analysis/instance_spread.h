#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "results/rows.h"

namespace ridgeline::analysis {

// Each of the four is a duration that occurred: quantiles are not interpolated. Orders
// `durations_ns` anew. Nothing of no durations.
std::optional<results::InstanceSpread> SpreadOf(std::span<int64_t> durations_ns);

}  // namespace ridgeline::analysis
