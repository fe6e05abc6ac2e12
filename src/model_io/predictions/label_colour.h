#pragma once

#include <string>
#include <string_view>

#include "model_io/images/image.h"

namespace ridgeline::predictions {

// The same label has the same colour on every page, in every run, on every machine. The
// labels that built-in models are known to use have separate colours; others may share.
images::Colour LabelColour(std::string_view label);

// "#d62828".
std::string ToHex(images::Colour colour);

}  // namespace ridgeline::predictions
