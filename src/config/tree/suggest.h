#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/tree/node.h"

namespace ridgeline::config {

// The word of `known` that `word` was probably meant to be; empty if none is near.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

// "Did you mean 'pipeline.nsys.trace'?" for a key path that does not exist, or
// the keys that do exist there; empty when there is nothing to say.
std::string SuggestKey(const Node& root, std::string_view key);

}  // namespace ridgeline::config
