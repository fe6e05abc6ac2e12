#pragma once

#include <vector>

#include "config/compose/composer.h"

namespace ridgeline::config {

struct RuntimeFacts {
  const ComposeRequest& request;
  const std::vector<Override>& overrides;
  const Choices& choices;
  const std::vector<ConfigSource>& sources;
};

// Appends to hydra.overrides.hydra and hydra.overrides.task.
Status ListOverrides(Workspace& workspace, Node& root,
                     const std::vector<Override>& overrides);

// Fills the `hydra` node with the runtime values of this run: overrides, choices, job
// name, search path, versions.
Status FillRuntime(Workspace& workspace, Node& root, const RuntimeFacts& facts);

}  // namespace ridgeline::config
