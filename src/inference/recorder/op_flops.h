#pragma once

#include <ATen/record_function.h>

#include <optional>
#include <vector>

#include "cost/operator_flops.h"

namespace ridgeline::inference {

// Matrix products and convolutions in an operator, by the rules of cost/operator_flops.h.
// nullopt: no rule, or inputs not covered by the rule.
std::optional<std::vector<cost::FlopPart>> MatrixFlops(const at::RecordFunction& op);

}  // namespace ridgeline::inference
