#pragma once

#include <string>

#include "estimates/measured_run.h"
#include "results/result_store.h"

namespace ridgeline::app {

// Holds regions of the last source of `store` against what the model's regions cost.
// A region of which the capture has fewer instances than the run had is left out; returns
// which, in a sentence for people, or nothing.
std::string AddRegionRoofs(const estimates::MeasuredRun& run,
                           results::ResultStore& store);

}  // namespace ridgeline::app
