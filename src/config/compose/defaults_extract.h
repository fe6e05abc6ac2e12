#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/compose/default_element.h"
#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// The key of a defaults list.
inline constexpr std::string_view kDefaultsKey = "defaults";

// Removes the defaults list from a freshly loaded config. Only a dict can have one.
// `config_path` is for messages.
Result<std::vector<InputDefault>> ExtractDefaults(Workspace& workspace,
                                                  const std::string& config_path,
                                                  Node& config);

}  // namespace ridgeline::config
