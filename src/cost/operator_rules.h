// The table behind operator_flops.h: the rule of each operator, and the positions of the
// inputs that the rule needs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ridgeline::cost {

enum class RuleFamily : uint8_t {
  kProduct,         // a, b, added: matmul with broadcasting.
  kSummedProduct,   // The same, summed over the batch (addbmm).
  kLinear,          // x, weight (n, k), bias.
  kEitherLinear,    // x, weight (n, k) or (k, n).
  kFeatures,        // x, tensor, dimension: the number of outputs is a tensor size.
  kFeatureValues,   // x, in_features, out_features.
  kShapeValue,      // x, sizes of the weight.
  kHalfBytePairs,   // out (m, n), a (m, k / 2).
  kOuter,           // a, b, added.
  kGrouped,         // a, b: grouped GEMM.
  kExperts,         // hidden, w1 (e, i, k), w2 (e, k, i), top-k weights.
  kLinearGrad,      // input, grad_output, weight, mask.
  kLinearGradPart,  // grad_output, and the position of the other operand's last size.
  // x, weight, bias, stride, padding, dilation, transposed, output padding, groups.
  kConvolution,
  kConvolutionGrad,       // grad_output, x, weight, mask, transposed.
  kConvolutionGradInput,  // grad_output, weight.
  kAttention,             // q (k and v follow), is_causal, layout, alignment, lengths.
  kAttentionGrad,         // The same for the backward pass.
  kMixture,      // x, routing, lists of gate, up and down of one token's experts.
  kAttendToken,  // q (heads, queries, d), k (heads, keys, d).
};

// Codes in Rule::at that are not input positions.
inline constexpr int8_t kAbsent = -1;
inline constexpr int8_t kAlways = -2;  // For booleans: always true.

// Attention layouts and mask alignments.
inline constexpr int8_t kHeadsFirst = 0;   // (..., heads, tokens, d)
inline constexpr int8_t kTokensFirst = 1;  // (batch, tokens, heads, d)
inline constexpr int8_t kTopLeft = 0;      // Query i sees keys up to i.
inline constexpr int8_t kBottomRight = 1;  // The last query sees the last key.
inline constexpr int8_t kMaskType = 2;     // 0 none, 1 top left, 2 bottom right.

// Output types.
inline constexpr int8_t kAsInput = 0;
inline constexpr int8_t kInPlace = -1;  // The output is one of the inputs.
inline constexpr int8_t kUnknownType = -2;
// Otherwise: bytes per element if positive; below kTypeInput, the position of a dtype.
inline constexpr int8_t kTypeInput = -10;

struct Rule {
  std::string_view name;
  RuleFamily family = RuleFamily::kProduct;
  std::array<int8_t, 9> at = {};
  int8_t output = kAsInput;
  // Number of inputs of the overload that takes one more tensor, at position 1; 0: none.
  uint8_t binary_inputs = 0;
};

// Null: none.
const Rule* FindRule(std::string_view name);

}  // namespace ridgeline::cost
