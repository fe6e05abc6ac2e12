#pragma once

#include <string_view>

#include "base/result.h"
#include "results/result_store.h"

namespace ridgeline::profiles {

// metrics.json of a built-in model: a phase_sample for every time of every page, those of
// the recorded page apart from the others, which were taken in `pass`. `source` names the
// file. On an error nothing was added.
Status ImportModelMetrics(std::string_view json, results::Source source,
                          results::PhaseSample::Pass pass, results::ResultStore& store);

}  // namespace ridgeline::profiles
