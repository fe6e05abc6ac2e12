// What kinds of work kernels did: the list `kernel_kinds` of metrics.json.
#pragma once

#include <nlohmann/json.hpp>

#include "results/result_store.h"

namespace ridgeline::report {

// One row per source and kind, in the order of the sources, the longest kind first.
// Shares are of all kernels of the source; null where they took no time.
nlohmann::ordered_json KernelKindsJson(const results::ResultStore& store);

}  // namespace ridgeline::report
