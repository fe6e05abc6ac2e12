#pragma once

#include <vector>

#include "config/compose/composer.h"
#include "config/compose/config_repository.h"

namespace ridgeline::config {

// Hydra's own configs, the primary directory, --config-dir, and the records.
std::vector<SearchPathEntry> BaseSearchPath(const ComposeRequest& request);

// The primary directory and --config-dir must be there.
Status CheckDirectories(const ConfigRepository& repository);

// Adds what hydra.searchpath of the primary config or of the command line names.
Status ExtendSearchPath(ConfigRepository& repository, const ComposeRequest& request,
                        const std::vector<Override>& overrides);

}  // namespace ridgeline::config
