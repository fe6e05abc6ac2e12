#pragma once

#include <string_view>

#include "base/result.h"
#include "results/result_store.h"

namespace ridgeline::profiles {

// static_compute.json of a run: what each phase of a page, and the page, cost in closed
// form. `source` names the file. On an error nothing was added.
Status ImportStaticCosts(std::string_view json, results::Source source,
                         results::ResultStore& store);

}  // namespace ridgeline::profiles
