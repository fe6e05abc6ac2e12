#include "cost/operator_flops.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "cost/operator_rules.h"
#include "cost/testing/operator_inputs.h"

namespace ridgeline::cost {
namespace {

using operator_inputs::Check;
using operator_inputs::Inputs;
using operator_inputs::kNone;
using operator_inputs::List;
using operator_inputs::T;
using operator_inputs::V;

TEST(OperatorFlops, CountsLinearAlgebra) {
  Check({
      {"aten::mm", {T({3, 5}), T({5, 7})}, 2 * 3 * 5 * 7, {}, 2 * (15 + 35 + 21)},
      {"aten::bmm", {T({4, 3, 5}), T({4, 5, 7})}, 2 * 4 * 3 * 5 * 7},
      {"aten::matmul", {T({2, 4, 3, 5}), T({5, 7})}, 2 * 8 * 3 * 5 * 7},
      {"aten::matmul", {T({3, 5}), T({2, 4, 5, 7})}, 2 * 8 * 3 * 5 * 7},
      {"aten::matmul", {T({2, 1, 3, 5}), T({4, 5, 7})}, 2 * 8 * 3 * 5 * 7},
      {"aten::matmul", {T({5}), T({5, 7})}, 2 * 5 * 7},
      {"aten::matmul", {T({4, 3, 5}), T({5})}, 2 * 12 * 5},
      {"aten::matmul", {T({5}), T({5})}, 2 * 5},
      {"aten::mv", {T({3, 5}), T({5})}, 2 * 3 * 5},
      {"aten::dot", {T({9}), T({9})}, 2 * 9, {}, 2 * (9 + 9 + 1)},
      {"aten::vdot", {T({9}), T({9})}, 2 * 9},
      {"aten::addmm",
       {T({7}), T({3, 5}), T({5, 7}), V({1}), V({1})},
       2 * 3 * 5 * 7,
       {},
       2 * (7 + 15 + 35 + 21)},
      {"aten::_addmm_activation", {T({7}), T({3, 5}), T({5, 7})}, 2 * 3 * 5 * 7},
      {"aten::addmv", {T({3}), T({3, 5}), T({5})}, 2 * 3 * 5},
      {"aten::baddbmm", {T({4, 3, 7}), T({4, 3, 5}), T({4, 5, 7})}, 2 * 4 * 3 * 5 * 7},
      {"aten::addbmm",
       {T({3, 7}), T({4, 3, 5}), T({4, 5, 7})},
       2 * 4 * 3 * 5 * 7,
       {},
       2 * (21 + 60 + 140 + 21)},
      {"aten::outer", {T({3}), T({5})}, 3 * 5},
      {"aten::ger", {T({3}), T({5})}, 3 * 5},
      {"aten::addr", {T({3, 5}), T({3}), T({5})}, 3 * 5},
      {"aten::linear",
       {T({2, 3, 5}), T({7, 5}), T({7})},
       2 * 6 * 5 * 7,
       {},
       2 * (30 + 35 + 7 + 42)},
      {"aten::linear", {T({5}), T({7, 5}), kNone}, 2 * 5 * 7},
      {"aten::linear", {T({3, 5}), T({5}), kNone}, 2 * 3 * 5},
      {"aten::mm", {T({0, 5}), T({5, 7})}, 0},
      {"aten::linear_backward",
       {T({3, 5}), T({3, 7}), T({7, 5}), V({1, 1, 1})},
       2 * 2 * 3 * 5 * 7},
      {"aten::linear_backward",
       {T({3, 5}), T({3, 7}), T({7, 5}), V({0, 1, 1})},
       2 * 3 * 5 * 7},
      {"aten::mkldnn_linear_backward_input",
       {V({3, 5}), T({3, 7}), T({7, 5})},
       2 * 3 * 5 * 7},
      {"aten::mkldnn_linear_backward_weights",
       {T({3, 7}), T({3, 5}), T({7, 5})},
       2 * 3 * 5 * 7},
  });
}

TEST(OperatorFlops, CountsFusedAndQuantisedLinears) {
  Check({
      // 1-byte inputs; the output is bfloat16 (15), or like the inputs.
      {"aten::_scaled_mm",
       {T({16, 32}, 1), T({32, 48}, 1), T({}, 4), T({}, 4), kNone, kNone, V({15}),
        V({0})},
       2 * 16 * 32 * 48,
       {},
       16 * 32 + 32 * 48 + 4 + 4 + 2 * 16 * 48},
      {"aten::_scaled_mm",
       {T({16, 32}, 1), T({32, 48}, 1), T({}, 4), T({}, 4), kNone, kNone, kNone, V({0})},
       2 * 16 * 32 * 48,
       {},
       16 * 32 + 32 * 48 + 4 + 4 + 16 * 48},
      {"aten::_int_mm",
       {T({16, 32}, 1), T({32, 48}, 1)},
       2 * 16 * 32 * 48,
       {},
       16 * 32 + 32 * 48 + 4 * 16 * 48},
      {"aten::_weight_int8pack_mm",
       {T({3, 64}), T({48, 64}, 1), T({48})},
       2 * 3 * 64 * 48,
       {},
       2 * 3 * 64 + 48 * 64 + 2 * 48 + 2 * 3 * 48},
      // (n / 8, k / 128, 32, 4) int32 are n * k 4-bit values.
      {"aten::_weight_int4pack_mm",
       {T({3, 128}), T({6, 1, 32, 4}, 4), V({32}), T({4, 48, 2})},
       2 * 3 * 128 * 48,
       {},
       2 * 3 * 128 + 48 * 128 / 2 + 2 * 4 * 48 * 2 + 2 * 3 * 48},
      {"aten::_weight_int4pack_mm_for_cpu",
       {T({3, 128}), T({48, 64}, 1), V({32}), T({4, 48, 2})},
       2 * 3 * 128 * 48},
      {"aten::_dyn_quant_matmul_4bit",
       {T({3, 128}), T({4000}, 1), V({32}), V({128}), V({48})},
       2 * 3 * 128 * 48},
      {"mkl::_mkl_linear",
       {T({3, 5}), T({999}), T({7, 5}), T({7}), V({3})},
       2 * 3 * 5 * 7},
      {"mkldnn::_linear_pointwise",
       {T({3, 5}), T({7, 5}), T({7}), kNone, kNone, kNone},
       2 * 3 * 5 * 7},
      // The overload with an additional tensor: x, other, weight, bias, attr.
      {"mkldnn::_linear_pointwise",
       {T({3, 5}), T({3, 7}), T({7, 5}), T({7}), kNone},
       2 * 3 * 5 * 7},
      {"onednn::qlinear_pointwise",
       {T({3, 5}, 1), kNone, V({0}), T({5, 7}, 1), T({7}, 4)},
       2 * 3 * 5 * 7},
      {"bitsandbytes::int8_linear_matmul", {T({3, 5}, 1), T({7, 5}, 1)}, 2 * 3 * 5 * 7},
      {"bitsandbytes::int8_scaled_mm",
       {T({3, 5}, 1), T({7, 5}, 1), T({3}, 4), T({7}, 4)},
       2 * 3 * 5 * 7},
      {"bitsandbytes::int8_mixed_scaled_mm",
       {T({3, 5}), T({3, 5}, 1), T({7, 5}, 1), T({3}, 4)},
       2 * 3 * 5 * 7},
      {"bitsandbytes::gemv_4bit",
       {T({1, 1, 64}), T({1536, 1}, 1), V({48, 64})},
       2 * 64 * 48},
      {"_C::cutlass_scaled_mm",
       {T({3, 7}), T({3, 5}, 1), T({5, 7}, 1), T({1}, 4), T({1}, 4)},
       2 * 3 * 5 * 7,
       {},
       2 * 21 + 15 + 35 + 4 + 4},
      {"_C::cutlass_scaled_fp4_mm",
       {T({3, 7}), T({3, 16}, 1), T({7, 16}, 1)},
       2 * 3 * 32 * 7},
      {"_C::awq_gemm",
       {T({3, 64}), T({64, 6}, 4), T({2, 48}), T({2, 6}, 4)},
       2 * 3 * 64 * 48},
      {"_C::gptq_gemm", {T({3, 64}), T({8, 48}, 4), T({2, 6}, 4)}, 2 * 3 * 64 * 48},
      {"sgl_kernel::fp8_scaled_mm", {T({3, 5}, 1), T({5, 7}, 1)}, 2 * 3 * 5 * 7},
      {"sgl_kernel::int8_scaled_mm", {T({3, 5}, 1), T({5, 7}, 1)}, 2 * 3 * 5 * 7},
      // 10 tokens, 2 of 4 experts each: (2 * 16) by 8 and 8 by 16.
      {"vllm::outplace_fused_experts",
       {T({10, 8}), T({4, 32, 8}), T({4, 8, 16}), T({10, 2}, 4), T({10, 2}, 4)},
       2 * 10 * 2 * (32 * 8 + 8 * 16)},
      {"vllm::inplace_fused_experts",
       {T({10, 8}), T({4, 32, 8}), T({4, 8, 16}), T({10, 2}, 4), T({10, 2}, 4)},
       2 * 10 * 2 * (32 * 8 + 8 * 16)},
      // 4 groups of rows; 4 groups of columns; batches; 4 groups of the inner dimension.
      {"aten::_grouped_mm", {T({10, 8}), T({4, 8, 6}), T({4}, 4)}, 2 * 10 * 8 * 6},
      {"aten::_grouped_mm", {T({4, 5, 8}), T({8, 24}), T({4}, 4)}, 2 * 5 * 8 * 24},
      {"aten::_grouped_mm", {T({4, 5, 8}), T({4, 8, 6})}, 2 * 4 * 5 * 8 * 6},
      {"aten::_grouped_mm",
       {T({5, 40}), T({40, 6}), T({4}, 4)},
       2 * 5 * 40 * 6,
       {},
       2 * 200 + 2 * 240 + 16 + 2 * 4 * 5 * 6},
      {"aten::_scaled_grouped_mm",
       {T({10, 8}, 1), T({4, 8, 6}, 1), T({10}, 4), T({4, 6}, 4), T({4}, 4)},
       2 * 10 * 8 * 6},
  });
}

TEST(OperatorFlops, CountsConvolutions) {
  const OperatorInput image = T({2, 3, 9, 9});
  const OperatorInput weight = T({4, 3, 3, 3});
  // (9 + 2 - 3) / 2 + 1 = 5 positions per dimension.
  constexpr uint64_t kFlops = 2ULL * 2 * 5 * 5 * 4 * 3 * 9;
  Check({
      {"aten::conv2d",
       {image, weight, T({4}), V({2, 2}), V({1, 1}), V({1, 1}), V({1})},
       kFlops,
       {},
       2 * (2 * 3 * 81 + 4 * 27 + 4 + 2 * 4 * 25)},
      {"aten::conv2d",  // One number for both dimensions.
       {image, weight, kNone, V({2}), V({1}), V({1}), V({1})},
       kFlops},
      {"aten::conv2d",  // Unbatched.
       {T({3, 9, 9}), weight, kNone, V({2}), V({1}), V({1}), V({1})},
       kFlops / 2},
      {"aten::convolution",
       {image, weight, kNone, V({2, 2}), V({1, 1}), V({1, 1}), V({0}), V({0, 0}), V({1})},
       kFlops},
      {"aten::_convolution",
       {image, weight, kNone, V({2, 2}), V({1, 1}), V({1, 1}), V({0}), V({0, 0}), V({1}),
        V({0})},
       kFlops},
      {"aten::cudnn_convolution",
       {image, weight, V({1, 1}), V({2, 2}), V({1, 1}), V({1}), V({0})},
       kFlops},
      {"aten::cudnn_convolution_relu",
       {image, weight, T({4}), V({2, 2}), V({1, 1}), V({1, 1}), V({1})},
       kFlops},
      {"aten::cudnn_convolution_add_relu",
       {image, weight, T({2, 4, 5, 5}), V({1}), T({4}), V({2, 2}), V({1, 1}), V({1, 1}),
        V({1})},
       kFlops},
      {"aten::mkldnn_convolution",
       {image, weight, kNone, V({1, 1}), V({2, 2}), V({1, 1}), V({1})},
       kFlops},
      {"aten::miopen_convolution",
       {image, weight, kNone, V({1, 1}), V({2, 2}), V({1, 1}), V({1})},
       kFlops},
      {"mkldnn::_convolution_pointwise",
       {image, weight, kNone, V({1, 1}), V({2, 2}), V({1, 1}), V({1}), kNone, kNone,
        kNone},
       kFlops},
      {"mkldnn::_convolution_pointwise",
       {image, T({2, 4, 5, 5}), weight, kNone, V({1, 1}), V({2, 2}), V({1, 1}), V({1}),
        kNone, kNone, kNone, kNone, kNone},
       kFlops},
      {"aten::_slow_conv2d_forward",
       {image, weight, V({3, 3}), kNone, V({2, 2}), V({1, 1})},
       kFlops},
      {"aten::slow_conv_dilated2d",  // Taps span 5: (9 + 2 - 5) / 2 + 1 = 4.
       {image, weight, V({3, 3}), kNone, V({2, 2}), V({1, 1}), V({2, 2})},
       2 * 2 * 4 * 4 * 4 * 3 * 9},
      {"aten::conv1d",  // (10 - 4) / 3 + 1 = 3.
       {T({2, 6, 10}), T({8, 6, 4}), kNone, V({3}), V({0}), V({1}), V({1})},
       2 * 2 * 3 * 8 * 6 * 4},
      {"aten::conv3d",  // 4, 5 and 6 positions.
       {T({1, 2, 4, 5, 6}), T({3, 2, 1, 1, 1}), kNone, V({1}), V({0}), V({1}), V({1})},
       2 * 4 * 5 * 6 * 3 * 2},
      {"aten::conv2d",  // 4 groups: the weight has a quarter of the channels.
       {T({1, 8, 5, 5}), T({12, 2, 1, 1}), kNone, V({1}), V({0}), V({1}), V({4})},
       2 * 25 * 12 * 2},
      {"aten::_conv_depthwise2d",  // 8 groups, 3 * 3 positions.
       {T({1, 8, 5, 5}), T({8, 1, 3, 3}), V({3, 3}), kNone, V({1, 1}), V({0, 0}),
        V({1, 1})},
       2 * 9 * 8 * 9},
      // Transposed: every input position is multiplied by the weight. (5 - 1) * 2 + 3 =
      // 11.
      {"aten::conv_transpose2d",
       {T({2, 3, 5, 5}), T({3, 4, 3, 3}), kNone, V({2, 2}), V({0, 0}), V({0, 0}), V({1}),
        V({1, 1})},
       2 * 2 * 25 * 3 * 4 * 9,
       {},
       2 * (2 * 3 * 25 + 3 * 4 * 9 + 2 * 4 * 121)},
      {"aten::conv_transpose1d",  // 2 groups: 6 channels become 2 * 4. (5 - 1) * 2 + 3.
       {T({1, 6, 5}), T({6, 4, 3}), kNone, V({2}), V({0}), V({0}), V({2}), V({1})},
       2 * 5 * 6 * 4 * 3,
       {},
       2 * (6 * 5 + 6 * 4 * 3 + 8 * 11)},
      {"aten::convolution",
       {T({2, 3, 5, 5}), T({3, 4, 3, 3}), kNone, V({2, 2}), V({0, 0}), V({1, 1}), V({1}),
        V({0, 0}), V({1})},
       2 * 2 * 25 * 3 * 4 * 9},
      {"aten::convolution_backward",
       {T({2, 4, 5, 5}), image, weight, V({4}), V({2, 2}), V({1, 1}), V({1, 1}), V({0}),
        V({0, 0}), V({1}), V({1, 1, 1})},
       2 * kFlops},
      {"aten::convolution_backward",  // Only the gradient of the weight.
       {T({2, 4, 5, 5}), image, weight, V({4}), V({2, 2}), V({1, 1}), V({1, 1}), V({0}),
        V({0, 0}), V({1}), V({0, 1, 1})},
       kFlops},
      {"aten::convolution_backward",  // Transposed.
       {T({2, 4, 11, 11}), T({2, 3, 5, 5}), T({3, 4, 3, 3}), kNone, V({2, 2}), V({0, 0}),
        V({1, 1}), V({1}), V({0, 0}), V({1}), V({1, 1, 0})},
       2 * 2 * 2 * 25 * 3 * 4 * 9},
      {"aten::cudnn_convolution_backward",
       {image, T({2, 4, 5, 5}), weight, V({1, 1}), V({2, 2}), V({1, 1}), V({1}), V({0}),
        V({0}), V({0}), V({1, 1})},
       2 * kFlops},
      {"aten::cudnn_convolution_backward_input",
       {kNone, T({2, 4, 5, 5}), weight},
       kFlops},
  });
}

TEST(OperatorFlops, CountsOurOwnOperators) {
  const Sizes gate = {6, 8};
  const Sizes down = {8, 6};
  Check({
      {"ridgeline::linear", {T({3, 8}), T({5, 8})}, 2 * 3 * 8 * 5},
      {"ridgeline::mixture",
       {T({1, 8}), T({2}, 4), List({gate, gate}), List({gate, gate}), List({down, down})},
       2 * 6 * 48},
      {"ridgeline::attend_token",
       {T({10, 1, 64}), T({10, 33, 64}), T({10, 33, 64})},
       2 * 2 * 10 * 33 * 64},
  });
}

TEST(OperatorFlops, SeparatesBiasFromProducts) {
  const Inputs inputs = {T({512}), T({141, 512}), T({512, 512})};
  const OperatorCost cost = *CostOf("aten::addmm", inputs);
  EXPECT_EQ(cost.flops_matrix().executed.value(), 73'924'608);
  EXPECT_EQ(cost.flops_total().executed.value(), 73'996'800);
}

TEST(OperatorFlops, CountsNothingWithoutTheInputsItNeeds) {
  const OperatorInput image = T({2, 3, 9, 9});
  const OperatorInput weight = T({4, 3, 3, 3});
  const OperatorInput tokens = T({30, 4, 64});
  const struct {
    const char* what;
    const char* name;
    Inputs inputs;
  } cases[] = {
      {"no rule", "aten::relu", {T({3})}},
      {"no inputs", "aten::mm", {}},
      {"inner sizes differ", "aten::mm", {T({3, 5}), T({6, 7})}},
      {"negative sizes", "aten::mm", {T({-1, 5}), T({5, 7})}},
      {"batches differ", "aten::bmm", {T({2, 3, 5}), T({3, 5, 7})}},
      {"a scalar", "aten::mm", {T({}), T({})}},
      {"weights of other sizes", "aten::linear", {T({3, 5}), T({7, 6})}},
      {"no stride", "aten::conv2d", {image, weight, kNone, kNone, V({0}), V({1})}},
      {"a stride of 0", "aten::conv2d", {image, weight, kNone, V({0}), V({0}), V({1})}},
      {"a window that is too large",
       "aten::conv2d",
       {T({2, 3, 2, 2}), weight, kNone, V({1}), V({0}), V({1})}},
      {"transposed or not is unknown",
       "aten::convolution",
       {image, weight, kNone, V({1}), V({0}), V({1}), kNone, V({0}), V({1})}},
      {"which gradients is unknown",
       "aten::convolution_backward",
       {T({2, 4, 5, 5}), image, weight, kNone, V({2}), V({1}), V({1}), V({0})}},
      {"widths differ",
       "aten::scaled_dot_product_attention",
       {T({1, 4, 10, 64}), T({1, 4, 10, 32}), T({1, 4, 10, 64})}},
      {"heads that cannot be shared",
       "aten::scaled_dot_product_attention",
       {T({1, 4, 10, 64}), T({1, 3, 10, 64}), T({1, 3, 10, 64})}},
      {"sequences of several lengths",
       "aten::_flash_attention_forward",
       {tokens, tokens, tokens, T({4}, 4), T({4}, 4), V({20}), V({20}), kNone, V({1})}},
      {"an expert list that was not recorded",
       "ridgeline::mixture",
       {T({1, 8}), kNone, kNone, kNone, kNone}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_FALSE(CostOf(c.name, c.inputs).has_value());
  }
}

TEST(OperatorFlops, HasNoBytesWithoutTypes) {
  const Inputs inputs = {T({3, 5}, 0), T({5, 7}, 0)};
  EXPECT_EQ(CostOf("aten::mm", inputs)->flops_matrix().executed.value(), 210);
  EXPECT_FALSE(CostOf("aten::mm", inputs)->bytes.has_value());
}

TEST(OperatorFlops, Saturates) {
  constexpr int64_t kLarge = std::numeric_limits<int64_t>::max();
  const Inputs inputs = {T({kLarge, kLarge}), T({kLarge, kLarge})};
  EXPECT_FALSE(CostOf("aten::mm", inputs)->flops_matrix().executed.is_exact());
}

// Arbitrary inputs: no crash, no undefined behavior (asan preset).
TEST(OperatorFlops, TakesAnyInputs) {
  constexpr const char* kNames[] = {"aten::mm",
                                    "aten::addmm",
                                    "aten::linear",
                                    "aten::conv2d",
                                    "aten::conv_transpose2d",
                                    "aten::convolution_backward",
                                    "aten::scaled_dot_product_attention",
                                    "aten::_flash_attention_forward",
                                    "aten::_efficient_attention_forward",
                                    "aten::_scaled_dot_product_flash_attention_backward",
                                    "aten::_grouped_mm",
                                    "aten::_weight_int4pack_mm",
                                    "bitsandbytes::gemv_4bit",
                                    "ridgeline::mixture",
                                    "ridgeline::attend_token",
                                    "vllm::outplace_fused_experts",
                                    "aten::outer",
                                    "mkldnn::_linear_pointwise",
                                    "aten::_dyn_quant_matmul_4bit",
                                    "aten::_scaled_mm"};
  constexpr int64_t kNumbers[] = {0, 1, 2, 3, 8, -1, 1000000, INT64_MAX, INT64_MIN};
  uint64_t state = 1;
  const auto next = [&state](uint64_t below) {
    state += kSplitMixStep;
    return MixBits(state) % below;
  };
  const auto numbers = [&] {
    Sizes sizes(next(6));
    for (int64_t& size : sizes) size = kNumbers[next(std::size(kNumbers))];
    return sizes;
  };
  int counted = 0;
  for (int round = 0; round < 40000; ++round) {
    Inputs inputs(next(14));
    for (OperatorInput& input : inputs) {
      const uint64_t kind = next(4);
      if (kind < 2) input.tensors.assign(1 + (kind * next(3)), numbers());
      if (kind == 2) input.value = numbers();
      input.element_bytes = static_cast<int64_t>(next(9));
    }
    counted += CostOf(kNames[next(std::size(kNames))], inputs).has_value() ? 1 : 0;
  }
  EXPECT_GT(counted, 0);
}

TEST(OperatorFlops, KnowsTheNamesOfMatrixWork) {
  const struct {
    const char* name;
    bool looks_like_it;
  } cases[] = {
      {"aten::linalg_qr", true},        {"aten::bilinear", true},
      {"vllm::moe_forward", true},      {"quantized::linear_dynamic", true},
      {"_C::gptq_marlin_gemm", true},   {"vllm::unified_attention_with_output", true},
      {"aten::einsum", true},           {"aten::mm", false},  // Has a rule.
      {"aten::linspace", false},        {"aten::upsample_bilinear2d", false},
      {"aten::convert_indices", false}, {"aten::relu", false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(LooksLikeMatrixWork(c.name), c.looks_like_it) << c.name;
  }
}

TEST(OperatorRules, AreFoundByTheirWholeNames) {
  EXPECT_EQ(FindRule("aten::mm")->name, "aten::mm");
  EXPECT_EQ(FindRule("aten::m"), nullptr);
  EXPECT_EQ(FindRule(""), nullptr);
  EXPECT_EQ(FindRule("zzz"), nullptr);
  EXPECT_TRUE(RuleReadsValues("aten::conv2d"));
  EXPECT_FALSE(RuleReadsValues("aten::mm"));
}

}  // namespace
}  // namespace ridgeline::cost
