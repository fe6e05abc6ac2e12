// FLOPs and minimum bytes of individual PyTorch operators, from their input shapes. One
// set of rules for our own recorder and for imported traces; see docs/flops.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cost/cost.h"
#include "cost/count.h"

namespace ridgeline::cost {

using Sizes = std::vector<int64_t>;

// Element type of a tensor; selects the peak that an operator is compared with.
enum class NumberType : uint8_t {
  kUnknown,
  kFp64,
  kFp32,
  kBf16,
  kFp16,
  kFp8,
  kFp4,
  kInt8,
  kOther,
};

// One input of an operator, as recorded by profilers.
struct OperatorInput {
  std::vector<Sizes> tensors;  // One, or those of a list. Empty: not a tensor, or None.
  int64_t element_bytes = 0;   // 0: unknown.
  NumberType type = NumberType::kUnknown;
  // An integer, a boolean (0 or 1), or a list of integers. Empty: not recorded.
  std::optional<std::vector<int64_t>> value;
};

// Work of one kind within an operator.
struct FlopPart {
  // "" for a matrix multiplication or convolution, else its role within a fused operator:
  // "scores", "values", "gate", "bias", "grad_input".
  std::string_view name;
  CostClass cost_class = CostClass::kGemm;
  Amount flops;
};

struct OperatorCost {
  std::vector<FlopPart> parts;
  // Every input read once and every output written once. Empty: a type is unknown.
  std::optional<Count> bytes;
  NumberType type = NumberType::kUnknown;  // Of the first operand.

  Amount flops_matrix() const;
  Amount flops_total() const;
};

struct FlopOptions {
  // Causal attention computes, for each block of this many queries, the keys up to the
  // last of the block. 0: all pairs, as in torch.utils.flop_counter.
  int64_t causal_block = 0;
};

// Two FLOPs per multiply-add; counts saturate. Empty: the operator has no rule, or its
// inputs do not match the rule (a stride was not recorded, sizes do not match). The rule
// of an outer operator includes the operators it calls.
std::optional<OperatorCost> CostOf(std::string_view name,
                                   std::span<const OperatorInput> inputs,
                                   const FlopOptions& options = {});

bool HasRule(std::string_view name);

// Whether the rule uses input values (strides, is_causal), not only shapes.
bool RuleReadsValues(std::string_view name);

// Whether an operator without a rule appears to multiply matrices, judging by the words
// in its name: "vllm::fused_moe", "aten::linalg_qr". It may call operators that have a
// rule.
bool LooksLikeMatrixWork(std::string_view name);

}  // namespace ridgeline::cost
