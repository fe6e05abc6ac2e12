#pragma once

#include <span>
#include <vector>

#include "profiles/model_metrics.h"

namespace ridgeline::analysis {

// Statistics over all samples: of whole pages, of each phase in the order of its first
// appearance, and of decode tokens per second.
std::vector<profiles::MeasuredQuantity> StatisticsOf(
    std::span<const profiles::ModelSample> samples);

}  // namespace ridgeline::analysis
