#pragma once

#include "config/tree/workspace.h"

namespace ridgeline::config {

// The resolvers built into OmegaConf and Hydra: oc.create, oc.decode, oc.deprecated,
// oc.dict.keys, oc.dict.values, oc.env, oc.select, now, hydra, python_version.
void AddBuiltinResolvers(Workspace& workspace);

}  // namespace ridgeline::config
