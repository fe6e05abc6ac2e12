#pragma once

#include <string>
#include <string_view>

#include "model_io/images/image.h"

namespace ridgeline::predictions {

// A label has the same colour on every page, in every run and on every machine. Labels
// known to be used by built-in models have different colours; others may share one.
images::Colour LabelColour(std::string_view label);

// "#d62828"
std::string ToHex(images::Colour colour);

}  // namespace ridgeline::predictions
