// Errors of the defaults list that tell what there is to choose from.
#pragma once

#include "config/compose/config_repository.h"
#include "config/compose/defaults_list.h"
#include "config/error.h"

namespace ridgeline::config {

// A config that no source has: what was asked for, by whom, what there is
// instead, and where it was looked for.
Error ConfigNotFound(const ConfigRepository& repository, const DefaultsTreeNode& node);

// A group of which the user has to choose an option.
Error OptionRequired(const ConfigRepository& repository, const InputDefault& entry);

}  // namespace ridgeline::config
