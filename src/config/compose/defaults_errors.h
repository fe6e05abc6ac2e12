// Errors of the defaults list, which list the available options.
#pragma once

#include "config/compose/config_repository.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"

namespace ridgeline::config {

// A config that was not found: its name, the config that requested it, the available
// options, and the search path.
Error ConfigNotFound(const ConfigRepository& repository, const DefaultsTreeNode& node);

// A group for which the user must choose an option.
Error OptionRequired(const ConfigRepository& repository, const InputDefault& entry);

}  // namespace ridgeline::config
