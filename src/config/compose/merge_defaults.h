#pragma once

#include <vector>

#include "config/compose/config_repository.h"
#include "config/compose/default_element.h"

namespace ridgeline::config {

// Merges the configs of the final defaults list, each at its package, in order.
Result<Node*> MergeDefaults(ConfigRepository& repository,
                            const std::vector<ResultDefault>& defaults);

}  // namespace ridgeline::config
