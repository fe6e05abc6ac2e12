#pragma once

#include <string>
#include <vector>

#include "config/compose/composer.h"

namespace ridgeline::app {

// Overrides of groups as scripts for earlier trees write them, made right for the tree of
// `request`:
//   dataset/sampling@dataset.sampling=default   the package is the group's own: omitted
//   the same, in a tree without that group      taken from `own_conf`, as an addition
// Everything else stays for Hydra to accept or refuse. Adds a line for each change to
// `notes`.
void AdaptGroupOverrides(const std::string& own_conf, config::ComposeRequest& request,
                         std::vector<std::string>& notes);

}  // namespace ridgeline::app
