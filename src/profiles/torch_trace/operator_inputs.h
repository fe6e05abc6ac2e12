// Inputs of operators as texts in results::TraceRows::inputs: "Input Dims" as the trace
// has it; of operators with a FLOP rule also "Input type" and, if the rule reads values,
// "Concrete Inputs", with a zero byte between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/operator_flops.h"

namespace ridgeline::profiles {

inline constexpr char kInputsSeparator = '\0';

// Inputs that are not as expected are empty: nothing is known of them.
std::vector<cost::OperatorInput> ParseOperatorInputs(std::string_view text);

// "[[141,512],[512,512],[]]": the sizes alone.
std::string ShapesOf(std::string_view text);

}  // namespace ridgeline::profiles
