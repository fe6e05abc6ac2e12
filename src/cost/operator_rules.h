// The table behind operator_flops.h: which rule an operator follows, and where among its
// inputs the rule finds what it needs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ridgeline::cost {

enum class RuleFamily : uint8_t {
  kProduct,         // a, b, added: matmul with its broadcasting.
  kSummedProduct,   // The same, summed over the batch (addbmm).
  kLinear,          // x, weight (n, k), bias.
  kEitherLinear,    // x, weight (n, k) or (k, n).
  kFeatures,        // x, tensor, dimension: the number of outputs is a size of a tensor.
  kFeatureValues,   // x, in_features, out_features.
  kShapeValue,      // x, sizes of the weight.
  kHalfBytePairs,   // out (m, n), a (m, k / 2).
  kOuter,           // a, b, added.
  kGrouped,         // a, b: grouped GEMM.
  kExperts,         // hidden, w1 (e, i, k), w2 (e, k, i), weights of the top k.
  kLinearGrad,      // input, grad_output, weight, mask.
  kLinearGradPart,  // grad_output, and where the other factor's last size is.
  // x, weight, bias, stride, padding, dilation, transposed, output padding, groups.
  kConvolution,
  kConvolutionGrad,       // grad_output, x, weight, mask, transposed.
  kConvolutionGradInput,  // grad_output, weight.
  kAttention,             // q (k and v follow), is_causal, layout, alignment, lengths.
  kAttentionGrad,         // The same for the backward pass.
  kMixture,      // x, routing, lists of gate, up and down of the experts of one token.
  kAttendToken,  // q (heads, queries, d), k (heads, keys, d).
};

// Codes in Rule::at that are not places of inputs.
inline constexpr int8_t kAbsent = -1;
inline constexpr int8_t kAlways = -2;  // For booleans: true whatever the inputs.

// Layouts and alignments of attention.
inline constexpr int8_t kHeadsFirst = 0;   // (..., heads, tokens, d)
inline constexpr int8_t kTokensFirst = 1;  // (batch, tokens, heads, d)
inline constexpr int8_t kTopLeft = 0;      // Query i sees keys up to i.
inline constexpr int8_t kBottomRight = 1;  // The last query sees the last key.
inline constexpr int8_t kMaskType = 2;     // 0 none, 1 top left, 2 bottom right.

// Types of outputs.
inline constexpr int8_t kAsInput = 0;
inline constexpr int8_t kInPlace = -1;  // The output is an input already.
inline constexpr int8_t kUnknownType = -2;
// Otherwise: bytes per element if positive; below kTypeInput, the place of a scalar type.
inline constexpr int8_t kTypeInput = -10;

struct Rule {
  std::string_view name;
  RuleFamily family = RuleFamily::kProduct;
  std::array<int8_t, 9> at = {};
  int8_t output = kAsInput;
  // Inputs of an overload that takes one more tensor, at place 1; 0: there is none.
  uint8_t binary_inputs = 0;
};

// Null: none.
const Rule* FindRule(std::string_view name);

}  // namespace ridgeline::cost
