#include "cost/operator_rules.h"

#include <algorithm>
#include <iterator>

namespace ridgeline::cost {
namespace {

using enum RuleFamily;

constexpr Rule Product(std::string_view name, int8_t a, int8_t b, int8_t added = kAbsent,
                       int8_t output = kAsInput) {
  return {name, kProduct, {a, b, added}, output};
}

constexpr Rule LinearRule(std::string_view name, int8_t x, int8_t weight,
                          int8_t bias = kAbsent, int8_t output = kAsInput) {
  return {name, kLinear, {x, weight, bias}, output};
}

// An operator with an overload that takes one more tensor, `inputs` in total.
constexpr Rule WithBinary(Rule rule, uint8_t inputs) {
  rule.binary_inputs = inputs;
  return rule;
}

// Argument positions of convolutions, by schema.
struct ConvolutionPlaces {
  int8_t bias = kAbsent;
  int8_t stride = kAbsent;
  int8_t padding = kAbsent;
  int8_t dilation = kAbsent;  // Absent: 1.
  int8_t transposed = kAbsent;
  int8_t output_padding = kAbsent;
  int8_t groups = kAbsent;  // For transposed ones; otherwise implied by the sizes.
};

constexpr Rule Convolution(std::string_view name, ConvolutionPlaces places) {
  return {name,
          kConvolution,
          {0, 1, places.bias, places.stride, places.padding, places.dilation,
           places.transposed, places.output_padding, places.groups}};
}

// input, weight, bias, stride, padding, dilation, ...
constexpr ConvolutionPlaces kFunctional = {
    .bias = 2, .stride = 3, .padding = 4, .dilation = 5};
constexpr ConvolutionPlaces kGeneral = {.bias = 2,
                                        .stride = 3,
                                        .padding = 4,
                                        .dilation = 5,
                                        .transposed = 6,
                                        .output_padding = 7,
                                        .groups = 8};
// input, weight, bias, stride, padding, output_padding, groups, dilation.
constexpr ConvolutionPlaces kTransposed = {.bias = 2,
                                           .stride = 3,
                                           .padding = 4,
                                           .dilation = 7,
                                           .transposed = kAlways,
                                           .output_padding = 5,
                                           .groups = 6};
// input, weight, bias, padding, stride, dilation, groups.
constexpr ConvolutionPlaces kPaddingFirst = {
    .bias = 2, .stride = 4, .padding = 3, .dilation = 5};
// The same, transposed: input, weight, bias, padding, output_padding, stride, dilation,
// groups.
constexpr ConvolutionPlaces kPaddingFirstTransposed = {.bias = 2,
                                                       .stride = 5,
                                                       .padding = 3,
                                                       .dilation = 6,
                                                       .transposed = kAlways,
                                                       .output_padding = 4,
                                                       .groups = 7};
// input, weight, kernel_size, bias, stride, padding, then dilation.
constexpr ConvolutionPlaces kWithKernelSize = {.bias = 3, .stride = 4, .padding = 5};
constexpr ConvolutionPlaces kWithDilation = {
    .bias = 3, .stride = 4, .padding = 5, .dilation = 6};
// The same with output_padding before dilation.
constexpr ConvolutionPlaces kSlowTransposed = {.bias = 3,
                                               .stride = 4,
                                               .padding = 5,
                                               .dilation = 7,
                                               .transposed = kAlways,
                                               .output_padding = 6};

struct AttentionPlaces {
  int8_t query = 0;
  int8_t causal = kAbsent;
  int8_t layout = kHeadsFirst;
  int8_t alignment = kTopLeft;
  int8_t lengths = kAbsent;  // For packed sequences: cum_seq_q, cum_seq_k, max_q, max_k.
};

constexpr Rule Attention(std::string_view name, AttentionPlaces places) {
  return {name,
          kAttention,
          {places.query, places.causal, places.layout, places.alignment, places.lengths}};
}

constexpr Rule AttentionGrad(std::string_view name, AttentionPlaces places) {
  Rule rule = Attention(name, places);
  rule.family = kAttentionGrad;
  return rule;
}

constexpr Rule kRules[] = {
    // Linear algebra.
    Product("aten::mm", 0, 1),
    Product("aten::bmm", 0, 1),
    Product("aten::matmul", 0, 1),
    Product("aten::linalg_matmul", 0, 1),
    Product("aten::mv", 0, 1),
    Product("aten::dot", 0, 1),
    Product("aten::vdot", 0, 1),
    Product("aten::addmm", 1, 2, 0),
    Product("aten::addmm_", 1, 2, 0),
    Product("aten::_addmm_activation", 1, 2, 0),
    Product("aten::addmv", 1, 2, 0),
    Product("aten::addmv_", 1, 2, 0),
    Product("aten::baddbmm", 1, 2, 0),
    Product("aten::baddbmm_", 1, 2, 0),
    {"aten::addbmm", kSummedProduct, {1, 2, 0}},
    {"aten::addbmm_", kSummedProduct, {1, 2, 0}},
    {"aten::outer", kOuter, {0, 1, kAbsent}},
    {"aten::ger", kOuter, {0, 1, kAbsent}},
    {"aten::addr", kOuter, {1, 2, 0}},
    {"aten::addr_", kOuter, {1, 2, 0}},
    LinearRule("aten::linear", 0, 1, 2),
    LinearRule("aten::mkldnn_linear", 0, 1, 2),
    {"aten::linear_backward", kLinearGrad, {0, 1, 2, 3}},
    {"aten::mkldnn_linear_backward", kLinearGrad, {0, 1, 2, 3}},
    {"aten::mkldnn_linear_backward_input", kLinearGradPart, {1, 2}},
    {"aten::mkldnn_linear_backward_weights", kLinearGradPart, {0, 1}},

    // Fused and quantized linears, grouped GEMM.
    Product("aten::_int_mm", 0, 1, kAbsent, 4),
    Product("aten::_scaled_mm", 0, 1, kAbsent, kTypeInput - 6),
    Product("aten::_scaled_mm_v2", 0, 1, kAbsent, kUnknownType),
    {"aten::_grouped_mm", kGrouped, {0, 1}},
    {"aten::_scaled_grouped_mm", kGrouped, {0, 1}, kUnknownType},
    LinearRule("aten::_weight_int8pack_mm", 0, 1),
    {"aten::_weight_int4pack_mm", kFeatures, {0, 3, 1}},
    {"aten::_weight_int4pack_mm_for_cpu", kFeatures, {0, 3, 1}},
    {"aten::_dyn_quant_matmul_4bit", kFeatureValues, {0, 3, 4}},
    LinearRule("mkl::_mkl_linear", 0, 2, 3),
    WithBinary(LinearRule("mkldnn::_linear_pointwise", 0, 1, 2), 5),
    {"onednn::qlinear_pointwise", kEitherLinear, {0, 3}, kUnknownType},
    LinearRule("bitsandbytes::int8_linear_matmul", 0, 1, kAbsent, 4),
    LinearRule("bitsandbytes::int8_scaled_mm", 0, 1, kAbsent, kUnknownType),
    LinearRule("bitsandbytes::int8_mixed_scaled_mm", 1, 2, kAbsent, kUnknownType),
    {"bitsandbytes::gemv_4bit", kShapeValue, {0, 2}},
    Product("_C::cutlass_scaled_mm", 1, 2, kAbsent, kInPlace),
    Product("_C::cutlass_scaled_mm_azp", 1, 2, kAbsent, kInPlace),
    {"_C::cutlass_scaled_fp4_mm", kHalfBytePairs, {0, 1}, kInPlace},
    {"_C::awq_gemm", kFeatures, {0, 2, 1}},
    {"_C::gptq_gemm", kFeatures, {0, 1, 1}},
    Product("sgl_kernel::fp8_scaled_mm", 0, 1, kAbsent, kUnknownType),
    Product("sgl_kernel::int8_scaled_mm", 0, 1, kAbsent, kUnknownType),
    {"vllm::inplace_fused_experts", kExperts, {0, 1, 2, 3}, kInPlace},
    {"vllm::outplace_fused_experts", kExperts, {0, 1, 2, 3}},

    // Convolutions.
    Convolution("aten::conv1d", kFunctional),
    Convolution("aten::conv2d", kFunctional),
    Convolution("aten::conv3d", kFunctional),
    Convolution("aten::conv_transpose1d", kTransposed),
    Convolution("aten::conv_transpose2d", kTransposed),
    Convolution("aten::conv_transpose3d", kTransposed),
    Convolution("aten::convolution", kGeneral),
    Convolution("aten::convolution_overrideable", kGeneral),
    Convolution("aten::_convolution", kGeneral),
    Convolution("aten::cudnn_convolution", {.stride = 3, .padding = 2, .dilation = 4}),
    Convolution("aten::cudnn_convolution_relu", kFunctional),
    Convolution("aten::cudnn_convolution_add_relu",
                {.bias = 4, .stride = 5, .padding = 6, .dilation = 7}),
    Convolution("aten::cudnn_convolution_transpose", {.stride = 4,
                                                      .padding = 2,
                                                      .dilation = 5,
                                                      .transposed = kAlways,
                                                      .output_padding = 3,
                                                      .groups = 6}),
    Convolution("aten::miopen_convolution", kPaddingFirst),
    Convolution("aten::miopen_depthwise_convolution", kPaddingFirst),
    Convolution("aten::miopen_convolution_transpose", kPaddingFirstTransposed),
    Convolution("aten::mkldnn_convolution", kPaddingFirst),
    Convolution("aten::_mps_convolution", kPaddingFirst),
    WithBinary(Convolution("mkldnn::_convolution_pointwise", kPaddingFirst), 13),
    Convolution("mkldnn::_convolution_transpose_pointwise", kPaddingFirstTransposed),
    Convolution("aten::_slow_conv2d_forward", kWithKernelSize),
    Convolution("aten::thnn_conv2d", kWithKernelSize),
    Convolution("aten::slow_conv3d", kWithKernelSize),
    Convolution("aten::slow_conv3d_forward", kWithKernelSize),
    Convolution("aten::slow_conv_dilated2d", kWithDilation),
    Convolution("aten::slow_conv_dilated3d", kWithDilation),
    Convolution("aten::_conv_depthwise2d", kWithDilation),
    Convolution("aten::conv_depthwise3d", kWithDilation),
    Convolution("aten::slow_conv_transpose2d", kSlowTransposed),
    Convolution("aten::slow_conv_transpose3d", kSlowTransposed),
    {"aten::convolution_backward", kConvolutionGrad, {0, 1, 2, 10, 7}},
    {"aten::convolution_backward_overrideable", kConvolutionGrad, {0, 1, 2, 9, 6}},
    {"aten::cudnn_convolution_backward", kConvolutionGrad, {1, 0, 2, 10, kAbsent}},
    {"aten::cudnn_convolution_backward_input", kConvolutionGradInput, {1, 2}},
    {"aten::mkldnn_convolution_backward_input", kConvolutionGradInput, {1, 2}},

    // Attention.
    Attention("aten::scaled_dot_product_attention", {.causal = 5}),
    Attention("aten::_scaled_dot_product_attention", {.causal = 6}),
    Attention("aten::_scaled_dot_product_attention_math", {.causal = 5}),
    Attention("aten::_scaled_dot_product_flash_attention", {.causal = 4}),
    Attention("aten::_scaled_dot_product_flash_attention_for_cpu", {.causal = 4}),
    Attention("aten::_scaled_dot_product_efficient_attention", {.causal = 6}),
    Attention("aten::_scaled_dot_product_cudnn_attention", {.causal = 6}),
    Attention("aten::_scaled_dot_product_fused_attention_overrideable", {.causal = 5}),
    Attention(
        "aten::_flash_attention_forward",
        {.causal = 8, .layout = kTokensFirst, .alignment = kBottomRight, .lengths = 3}),
    Attention(
        "aten::_efficient_attention_forward",
        {.causal = 9, .layout = kTokensFirst, .alignment = kMaskType, .lengths = 4}),
    Attention("flash_attn::_flash_attn_forward",
              {.causal = 5, .layout = kTokensFirst, .alignment = kBottomRight}),
    Attention(
        "flash_attn::_flash_attn_varlen_forward",
        {.causal = 9, .layout = kTokensFirst, .alignment = kBottomRight, .lengths = 3}),
    AttentionGrad("aten::_scaled_dot_product_flash_attention_backward",
                  {.query = 1, .causal = 11}),
    AttentionGrad("aten::_scaled_dot_product_flash_attention_for_cpu_backward",
                  {.query = 1, .causal = 7}),
    AttentionGrad("aten::_scaled_dot_product_efficient_attention_backward",
                  {.query = 1, .causal = 11}),
    AttentionGrad("aten::_scaled_dot_product_cudnn_attention_backward",
                  {.query = 1, .causal = 14}),
    AttentionGrad("aten::_scaled_dot_product_fused_attention_overrideable_backward",
                  {.query = 1, .causal = 13}),
    AttentionGrad("aten::_flash_attention_backward", {.query = 1,
                                                      .causal = 11,
                                                      .layout = kTokensFirst,
                                                      .alignment = kBottomRight,
                                                      .lengths = 6}),
    AttentionGrad("aten::_efficient_attention_backward", {.query = 1,
                                                          .causal = 14,
                                                          .layout = kTokensFirst,
                                                          .alignment = kMaskType,
                                                          .lengths = 6}),
    AttentionGrad(
        "flash_attn::_flash_attn_backward",
        {.query = 1, .causal = 11, .layout = kTokensFirst, .alignment = kBottomRight}),
    AttentionGrad("flash_attn::_flash_attn_varlen_backward", {.query = 1,
                                                              .causal = 15,
                                                              .layout = kTokensFirst,
                                                              .alignment = kBottomRight,
                                                              .lengths = 9}),

    // Our own (inference/kernels/).
    LinearRule("ridgeline::linear", 0, 1),
    {"ridgeline::mixture", kMixture, {2, 3, 4}},
    {"ridgeline::attend_token", kAttendToken, {0, 1}},
};

consteval auto SortedRules() {
  std::array<Rule, std::size(kRules)> rules = {};
  std::copy(std::begin(kRules), std::end(kRules), rules.begin());
  std::sort(rules.begin(), rules.end(),
            [](const Rule& a, const Rule& b) { return a.name < b.name; });
  return rules;
}

constexpr auto kSortedRules = SortedRules();

}  // namespace

const Rule* FindRule(std::string_view name) {
  const auto found = std::lower_bound(
      kSortedRules.begin(), kSortedRules.end(), name,
      [](const Rule& rule, std::string_view wanted) { return rule.name < wanted; });
  return found != kSortedRules.end() && found->name == name ? &*found : nullptr;
}

}  // namespace ridgeline::cost
