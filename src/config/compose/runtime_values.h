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

// Writes into the `hydra` node what is known of this run: overrides, choices,
// job name, search path, versions.
Status FillRuntime(Workspace& workspace, Node& root, const RuntimeFacts& facts);

}  // namespace ridgeline::config
