// The inputs of one operator call, as accessed by its rule, and cost helpers shared by
// several rules. Internal to the FLOP counts of operators.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cost/operator_flops.h"
#include "cost/operator_rules.h"

namespace ridgeline::cost {

using OptionalCost = std::optional<OperatorCost>;

// No negative sizes.
bool IsValid(const Sizes& sizes);

Count Elements(std::span<const int64_t> sizes);

class OperatorCall {
 public:
  OperatorCall(const Rule& rule, std::span<const OperatorInput> inputs,
               const FlopOptions& options)
      : rule_(rule), inputs_(inputs), options_(options) {}

  const FlopOptions& options() const { return options_; }
  int8_t code(size_t i) const { return rule_.at[i]; }

  // The tensor at the i-th position of the rule; null: absent, a list, or not a tensor.
  const Sizes* Tensor(size_t i) const { return TensorAt(rule_.at[i]); }
  const Sizes* TensorAt(int place) const;
  const OperatorInput* InputAt(int place) const;

  // The integers at the i-th position of the rule.
  const std::vector<int64_t>* Values(size_t i) const;
  std::optional<int64_t> Value(size_t i) const { return ValueAt(rule_.at[i]); }
  std::optional<int64_t> ValueAt(int place) const;

  // A single number applies to all dimensions.
  std::optional<int64_t> Along(size_t i, size_t dimension) const;

  // Whether there is a tensor to add.
  bool Has(size_t i) const;

  // Bytes of all inputs and of an output with that many elements, of the type of the
  // input at `like`.
  std::optional<Count> Bytes(Count output_elements, int like) const;

 private:
  std::optional<int64_t> OutputBytes(int like) const;  // Per element.

  const Rule& rule_;
  std::span<const OperatorInput> inputs_;
  const FlopOptions& options_;
};

FlopPart Gemm(Count multiply_adds);

// An operator consisting of one matrix multiplication and optionally a bias.
OperatorCost WithAdded(const OperatorCall& call, FlopPart part, Count outputs, int like,
                       size_t added);

// Whether the gradients of input and weight are computed; empty: not recorded.
std::optional<std::pair<bool, bool>> MaskOf(const OperatorCall& call, size_t i);

// `multiply_adds` for each gradient in the mask.
OperatorCost GradCost(const OperatorCall& call, CostClass cost_class, Count multiply_adds,
                      std::pair<bool, bool> mask, std::pair<Count, Count> outputs);

}  // namespace ridgeline::cost
