#pragma once

#include <string_view>

namespace ridgeline::config {

// OmegaConf's cheap test for stored strings: every "${" opens a plain reference
// (${a.b[0]}) or a plain call (${f:x,y}) that ends at the nearest "}". Text without "${"
// passes too. Nearly everything that passes is grammatical; the exceptions are "${:x}"
// and line breaks around names and arguments.
bool HoldsOnlySimpleInterpolations(std::string_view text);

}  // namespace ridgeline::config
