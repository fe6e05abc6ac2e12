#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/tree/node.h"

namespace ridgeline::config {

// The entry of `known` that `word` is probably a typo of; empty if none is close.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

// "Did you mean 'pipeline.nsys.trace'?" for a nonexistent key path, or the keys that do
// exist there; empty if there is no suggestion.
std::string SuggestKey(const Node& root, std::string_view key);

}  // namespace ridgeline::config
