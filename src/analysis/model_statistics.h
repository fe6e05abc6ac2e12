#pragma once

#include <span>
#include <vector>

#include "profiles/model_metrics.h"

namespace ridgeline::analysis {

// Statistics over all samples: for whole pages, for each phase in order of first
// appearance, and for decode tokens per second.
std::vector<profiles::MeasuredQuantity> StatisticsOf(
    std::span<const profiles::ModelSample> samples);

}  // namespace ridgeline::analysis
