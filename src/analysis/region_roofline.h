// How close a region of the model comes to the roofline time of its cost.
#pragma once

#include "cost/cost.h"
#include "cost/roofline.h"
#include "results/rows.h"

namespace ridgeline::analysis {

// Uses GPU time if the region has any, CPU time otherwise; one of them is above 0.
results::RegionRoofline RegionRooflineOf(const results::RegionTotal& region,
                                         const cost::Cost& cost,
                                         const cost::PeakRates& ceilings);

}  // namespace ridgeline::analysis
