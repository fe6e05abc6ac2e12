// Inputs of operators as texts in results::TraceRows::inputs: "Input Dims" as in the
// trace; for operators with a FLOP rule also "Input type" and, if the rule reads values,
// "Concrete Inputs", separated by zero bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/operator_flops.h"

namespace ridgeline::profiles {

inline constexpr char kInputsSeparator = '\0';

// Inputs in an unexpected format are empty: nothing is known about them.
std::vector<cost::OperatorInput> ParseOperatorInputs(std::string_view text);

// "[[141,512],[512,512],[]]": sizes only.
std::string ShapesOf(std::string_view text);

}  // namespace ridgeline::profiles
