#pragma once

#include <string_view>

namespace ridgeline::config {

// OmegaConf's cheap test of a string that is stored: every "${" opens a plain
// reference (${a.b[0]}) or a plain call (${f:x,y}) up to the nearest "}". A text
// without "${" passes too. Nearly everything that passes is grammatical; "${:x}" and
// line breaks around names and arguments pass as well and are not.
bool HoldsOnlySimpleInterpolations(std::string_view text);

}  // namespace ridgeline::config
