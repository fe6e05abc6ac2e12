// Short notation for operator inputs and their expected FLOPs.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cost/operator_flops.h"

namespace ridgeline::cost::operator_inputs {

using Inputs = std::vector<OperatorInput>;

// A tensor with 2 bytes per element, a list of tensors, a value, and None.
inline OperatorInput T(Sizes sizes, int64_t element_bytes = 2) {
  return {.tensors = {std::move(sizes)}, .element_bytes = element_bytes, .value = {}};
}
inline OperatorInput List(std::vector<Sizes> tensors) {
  return {.tensors = std::move(tensors), .element_bytes = 2, .value = {}};
}
inline OperatorInput V(std::vector<int64_t> value) {
  return {.tensors = {}, .value = std::move(value)};
}
inline const OperatorInput kNone;

struct Case {
  const char* name;
  Inputs inputs;
  uint64_t executed;                    // Matrix multiplications only.
  std::optional<uint64_t> useful = {};  // Empty: the same.
  std::optional<uint64_t> bytes = {};   // Empty: not checked.
};

inline void Check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::optional<OperatorCost> cost = CostOf(c.name, c.inputs);
    ASSERT_TRUE(cost.has_value());
    EXPECT_EQ(cost->flops_matrix().executed.value(), c.executed);
    EXPECT_EQ(cost->flops_matrix().useful.value(), c.useful.value_or(c.executed));
    if (!c.bytes) continue;
    ASSERT_TRUE(cost->bytes.has_value());
    EXPECT_EQ(cost->bytes->value(), *c.bytes);
  }
}

}  // namespace ridgeline::cost::operator_inputs
