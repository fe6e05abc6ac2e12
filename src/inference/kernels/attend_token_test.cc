#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

TEST(AttendToken, EqualsThePlainCallsOnACacheWithRoom) {
  const c10::InferenceMode no_gradients;
  at::manual_seed(1);
  constexpr int64_t kRoom = 300;
  for (const int64_t count : {1, 2, 17, 300}) {
    for (const int64_t width : {8, 24, 128}) {
      for (const int64_t queries_per_key : {1, 3}) {
        const at::Tensor q = at::randn({4 * queries_per_key, 1, width});
        const at::Tensor keys = at::randn({4, kRoom, width}).narrow(1, 0, count);
        const at::Tensor values = at::randn({4, kRoom, width}).narrow(1, 0, count);
        const at::Tensor all_keys = keys.repeat_interleave(queries_per_key, 0);
        const at::Tensor all_values = values.repeat_interleave(queries_per_key, 0);
        const at::Tensor want = at::matmul(
            at::softmax(at::matmul(q, all_keys.transpose(1, 2)) * 0.25, -1), all_values);
        const at::Tensor got = AttendToken(q, keys, values, 0.25);
        ASSERT_EQ(got.sizes(), want.sizes());
        EXPECT_LT((got - want).abs().max().item<double>(), 1e-5)
            << count << " keys of " << width;
      }
    }
  }
}

TEST(AttendToken, RefusesSeveralTokens) {
  const at::Tensor cache = at::randn({2, 5, 8});
  EXPECT_THROW(AttendToken(at::randn({2, 2, 8}), cache, cache, 1), c10::Error);
  EXPECT_THROW(AttendToken(at::randn({3, 1, 8}), cache, cache, 1), c10::Error);
}

}  // namespace
}  // namespace ridgeline::inference::cpu
