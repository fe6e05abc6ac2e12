// Errors of the defaults list that tell what there is to choose from.
#pragma once

#include "config/compose/config_repository.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"

namespace ridgeline::config {

// A config that was not found: its name, which config requested it, the options that
// exist, and the search path.
Error ConfigNotFound(const ConfigRepository& repository, const DefaultsTreeNode& node);

// A group of which the user has to choose an option.
Error OptionRequired(const ConfigRepository& repository, const InputDefault& entry);

}  // namespace ridgeline::config
