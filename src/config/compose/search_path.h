#pragma once

#include <vector>

#include "config/compose/composer.h"
#include "config/compose/config_repository.h"

namespace ridgeline::config {

// Hydra's own configs, the primary directory, --config-dir, and the records.
std::vector<SearchPathEntry> BaseSearchPath(const ComposeRequest& request);

// Fails if the primary directory or --config-dir is missing.
Status CheckDirectories(const ConfigRepository& repository);

// Adds the entries of hydra.searchpath from the primary config or the command line.
Status ExtendSearchPath(ConfigRepository& repository, const ComposeRequest& request,
                        const std::vector<Override>& overrides);

}  // namespace ridgeline::config
