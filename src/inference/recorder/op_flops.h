#pragma once

#include <ATen/record_function.h>

#include <optional>
#include <vector>

#include "cost/operator_flops.h"

namespace ridgeline::inference {

// The matrix products and convolutions within an operator, by the rules of
// cost/operator_flops.h. Nothing: it has no rule, or inputs that the rule does not cover.
std::optional<std::vector<cost::FlopPart>> MatrixFlops(const at::RecordFunction& op);

}  // namespace ridgeline::inference
