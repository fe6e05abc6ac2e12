#include <gtest/gtest.h>

#include "cost/operator_flops.h"
#include "cost/testing/operator_inputs.h"

namespace ridgeline::cost {
namespace {

using operator_inputs::Check;
using operator_inputs::Inputs;
using operator_inputs::kNone;
using operator_inputs::List;
using operator_inputs::T;
using operator_inputs::V;

TEST(OperatorFlops, CountsAttention) {
  const OperatorInput q = T({2, 8, 10, 64});
  const OperatorInput k = T({2, 8, 12, 64});
  const OperatorInput v = T({2, 8, 12, 32});
  const OperatorInput square = T({1, 4, 10, 64});
  const OperatorInput tokens = T({1, 10, 4, 64});
  const OperatorInput no = V({0});
  const OperatorInput yes = V({1});
  // 16 heads, 10 queries by 12 keys of width 64 and values of width 32.
  constexpr uint64_t kFlops = 2ULL * 16 * 10 * 12 * (64 + 32);
  // 4 heads of 10 by 10, of which 55 pairs are visible.
  constexpr uint64_t kSquare = 2ULL * 4 * 100 * (64 + 64);
  constexpr uint64_t kTriangle = 2ULL * 4 * 55 * (64 + 64);
  Check({
      {"aten::scaled_dot_product_attention",
       {q, k, v, kNone, kNone, no, kNone, no},
       kFlops,
       {},
       2 * 16 * (10 * 64 + 12 * 64 + 12 * 32 + 10 * 32)},
      {"aten::scaled_dot_product_attention",
       {square, square, square, kNone, kNone, yes, kNone, no},
       kSquare,
       kTriangle},
      // Query i sees keys up to i: 1 + ... + 10 of 12.
      {"aten::scaled_dot_product_attention",
       {q, k, v, kNone, kNone, yes, kNone, no},
       kFlops,
       2 * 16 * 55 * (64 + 32)},
      // Grouped heads: 8 query heads share 2 key heads.
      {"aten::scaled_dot_product_attention",
       {q, T({2, 2, 12, 64}), T({2, 2, 12, 32}), kNone, kNone, no, kNone, yes},
       kFlops},
      {"aten::_scaled_dot_product_attention",
       {square, square, square, kNone, kNone, no, yes},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_attention_math",
       {square, square, square, kNone, kNone, yes},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_flash_attention",
       {square, square, square, kNone, yes, no},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_flash_attention_for_cpu",
       {square, square, square, kNone, yes},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_efficient_attention",
       {square, square, square, kNone, no, kNone, yes},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_cudnn_attention",
       {square, square, square, kNone, no, kNone, yes, no},
       kSquare,
       kTriangle},
      {"aten::_scaled_dot_product_fused_attention_overrideable",
       {square, square, square, kNone, kNone, yes, no},
       kSquare,
       kTriangle},
      // (batch, tokens, heads, d).
      {"aten::_flash_attention_forward",
       {tokens, tokens, tokens, kNone, kNone, V({10}), V({10}), kNone, yes, no},
       kSquare,
       kTriangle},
      // The last query sees all 12 keys: 3 + ... + 12 = 75.
      {"aten::_flash_attention_forward",
       {tokens, T({1, 12, 4, 64}), T({1, 12, 4, 64}), kNone, kNone, V({10}), V({12}),
        kNone, yes, no},
       2 * 4 * 120 * 128,
       2 * 4 * 75 * 128},
      // 3 packed sequences of 10 tokens.
      {"aten::_flash_attention_forward",
       {T({30, 4, 64}), T({30, 4, 64}), T({30, 4, 64}), T({4}, 4), T({4}, 4), V({10}),
        V({10}), kNone, yes, no},
       3 * kSquare,
       3 * kTriangle},
      {"aten::_efficient_attention_forward",
       {tokens, tokens, tokens, kNone, kNone, kNone, kNone, kNone, kNone, V({1}), no},
       kSquare,
       kTriangle},
      {"aten::_efficient_attention_forward",
       {tokens, T({1, 12, 4, 64}), T({1, 12, 4, 64}), kNone, kNone, kNone, kNone, kNone,
        kNone, V({2}), no},
       2 * 4 * 120 * 128,
       2 * 4 * 75 * 128},
      {"flash_attn::_flash_attn_forward",
       {tokens, tokens, tokens, kNone, kNone, yes},
       kSquare,
       kTriangle},
      {"flash_attn::_flash_attn_varlen_forward",
       {T({10, 4, 64}), T({10, 2, 64}), T({10, 2, 64}), T({2}, 4), T({2}, 4), V({10}),
        V({10}), kNone, kNone, yes},
       kSquare,
       kTriangle},
      // Five GEMMs: the recomputed scores, and two gradients for each of the two.
      {"aten::_scaled_dot_product_flash_attention_backward",
       {square, square, square, square, square, T({1, 4, 10}, 4), kNone, kNone, V({10}),
        V({10}), kNone, yes},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
      {"aten::_scaled_dot_product_flash_attention_for_cpu_backward",
       {square, square, square, square, square, T({1, 4, 10}, 4), kNone, no},
       kSquare / 2 * 5},
      // Width 64 three times and width 32 twice.
      {"aten::_scaled_dot_product_efficient_attention_backward",
       {T({2, 8, 10, 32}), q, k, v, kNone, T({2, 8, 10, 32}), T({2, 8, 10}, 4), kNone,
        kNone, kNone, V({1, 1, 1, 0}), no},
       2 * 16 * 120 * (3 * 64 + 2 * 32)},
      {"aten::_scaled_dot_product_cudnn_attention_backward",
       {square, square, square, square, square, T({1, 4, 10}, 4), kNone, kNone, kNone,
        kNone, kNone, V({10}), V({10}), kNone, yes},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
      {"aten::_scaled_dot_product_fused_attention_overrideable_backward",
       {square, square, square, square, kNone, V({1, 1, 1, 0}), square, T({1, 4, 10}, 4),
        kNone, kNone, V({10}), V({10}), kNone, yes},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
      {"aten::_flash_attention_backward",
       {tokens, tokens, tokens, tokens, tokens, T({1, 4, 10}, 4), kNone, kNone, V({10}),
        V({10}), kNone, yes},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
      {"aten::_efficient_attention_backward",
       {tokens, tokens, tokens, tokens, kNone, tokens, kNone, kNone, V({10}), V({10}),
        T({1, 4, 10}, 4), kNone, kNone, kNone, V({1}), no},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
      {"flash_attn::_flash_attn_backward",
       {tokens, tokens, tokens, tokens, tokens, T({1, 4, 10}, 4), tokens, tokens, tokens,
        kNone, kNone, yes},
       kSquare / 2 * 5,
       kTriangle / 2 * 5},
  });
}

TEST(OperatorFlops, CountsCausalAttentionInBlocks) {
  struct BlockCase {
    int64_t queries;
    int64_t keys;
    uint64_t pairs;
  };
  constexpr BlockCase kCases[] = {
      {300, 300, 256 * 256 + 44 * 300},
      {512, 512, 256 * 256 + 256 * 512},
      {100, 300, 100 * 100},
      {600, 300, 256 * 256 + 256 * 300 + 88 * 300},
      {1, 700, 1},
  };
  for (const BlockCase& c : kCases) {
    const Inputs inputs = {
        T({1, c.queries, 8}), T({1, c.keys, 8}), T({1, c.keys, 8}), kNone, kNone, V({1})};
    const auto cost =
        CostOf("aten::scaled_dot_product_attention", inputs, {.causal_block = 256});
    EXPECT_EQ(cost->flops_matrix().executed.value(), c.pairs * 2 * 16);
  }
}

}  // namespace
}  // namespace ridgeline::cost
