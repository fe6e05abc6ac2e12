#include "inference/recorder/op_counter.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/layers.h"
#include "inference/scope.h"

namespace ridgeline::inference {
namespace {

using Rows = std::vector<CountedOps>;

TEST(OpCounter, CountsProductsOnceByScopeAndClass) {
  const c10::InferenceMode no_gradients;
  const at::Tensor x = at::randn({3, 8});
  OpCounter counter;
  {
    const Scope layer("layer", 2);
    In("q", Linear{at::randn({5, 8}), at::randn({5})}, x);
    In("q", Linear{at::randn({5, 8}), {}}, x);
    MultiplyIn("scores", at::randn({4, 3, 8}), at::randn({4, 8, 7}));
    at::conv2d(at::randn({2, 3, 9, 9}), at::randn({4, 3, 3, 3}), {}, 2, 1);
    at::relu(x + 1);
  }
  EXPECT_EQ(counter.rows(),
            (Rows{{"layer2", "convolution", 2ULL * 2 * 5 * 5 * 4 * 3 * 9},
                  {"layer2.q", "gemm", 2ULL * (2 * 3 * 8 * 5)},
                  {"layer2.scores", "attention_scores", 2ULL * 4 * 3 * 8 * 7}}));
  EXPECT_TRUE(counter.unknown().empty());
}

TEST(OpCounter, SeesOurOwnOperators) {
  const c10::InferenceMode no_gradients;
  const at::Tensor token = at::randn({1, 8});
  const GatedMlp mlp{
      {at::randn({6, 8}), {}}, {at::randn({6, 8}), {}}, {at::randn({8, 6}), {}}};
  OpCounter counter;
  In("mlp", mlp, token);
  In("o", Linear{at::randn({5, 8}).to(at::kBFloat16), {}}, token);
  EXPECT_EQ(counter.rows(), (Rows{{"mlp.down", "gemm", 2 * 48},
                                  {"mlp.gate", "gemm", 2 * 48},
                                  {"mlp.up", "gemm", 2 * 48},
                                  {"o", "gemm", 2 * 40}}));
}

// Even if libtorch has a fused kernel.
TEST(OpCounter, CountsAttentionInBlocks) {
  const c10::InferenceMode no_gradients;
  const auto random = [] { return at::randn({2, 300, 8}); };
  OpCounter counter;
  {
    const Scope causal("causal");
    Attention(random(), random(), random(), {.first_position = 0, .fused = true});
  }
  const Scope all("all");
  Attention(random(), random(), random(), {.fused = true});
  const uint64_t seen = 2ULL * 2 * (256 * 256 + 44 * 300) * 8;
  const uint64_t pairs = 2ULL * 2 * 300 * 300 * 8;
  EXPECT_EQ(counter.rows(), (Rows{{"all.scores", "attention_scores", pairs},
                                  {"all.values", "attention_values", pairs},
                                  {"causal.scores", "attention_scores", seen},
                                  {"causal.values", "attention_values", seen}}));
  EXPECT_TRUE(counter.unknown().empty());
}

TEST(OpCounter, SeesWhatEinsumMultiplies) {
  const c10::InferenceMode no_gradients;
  OpCounter counter;
  at::einsum("blwc,lkc->blwk", {at::randn({2, 3, 4, 5}), at::randn({3, 6, 5})});
  EXPECT_EQ(counter.rows(), (Rows{{"", "gemm", 2ULL * 2 * 3 * 4 * 5 * 6}}));
}

TEST(OpCounter, ListsProductsWithoutARule) {
  const c10::InferenceMode no_gradients;
  OpCounter counter;
  at::linalg_qr(at::randn({4, 3}));
  at::linalg_multi_dot({at::randn({2, 3}), at::randn({3, 4}), at::randn({4, 5})});
  EXPECT_EQ(counter.unknown(), (std::map<std::string, int64_t>{{"aten::linalg_qr", 1}}));
}

TEST(Scope, IsNothingWhereNobodyCounts) {
  const Scope outer("decoder");
  OpCounter counter;
  const Scope inner("layer", 1);
  at::mm(at::randn({1, 2}), at::randn({2, 3}));
  EXPECT_EQ(counter.rows(), (Rows{{"layer1", "gemm", 12}}));
}

}  // namespace
}  // namespace ridgeline::inference
