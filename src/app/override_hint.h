#pragma once

#include <string>
#include <vector>

#include "config/error.h"

namespace ridgeline::app {

// One line that names the override that works, where Hydra's own words name none or
// one that fails: "+dataset/sampling@dataset.sampling=default" is answered with
// "appears more than once in the final defaults list". Empty when Hydra's words do.
std::string HintForOverride(const config::Error& error,
                            const std::vector<std::string>& overrides);

}  // namespace ridgeline::app
