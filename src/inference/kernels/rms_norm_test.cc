#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

TEST(RmsNorm, EqualsThePlainCalls) {
  const c10::InferenceMode no_gradients;
  at::manual_seed(1);
  for (const int64_t width : {1, 7, 64, 1280}) {
    const at::Tensor x = at::randn({3, 2, width}) * 5;
    const at::Tensor weight = at::randn({width});
    const at::Tensor want =
        x * at::rsqrt(x.square().mean({-1}, /*keepdim=*/true) + 1e-6) * weight;
    EXPECT_TRUE(at::allclose(RmsNorm(x, weight, 1e-6), want, 1e-5, 1e-6)) << width;
  }
}

TEST(RmsNorm, TakesViews) {
  const at::Tensor x = at::randn({4, 6}).t();
  const at::Tensor weight = at::ones({4});
  EXPECT_TRUE(at::equal(RmsNorm(x, weight, 1e-6), RmsNorm(x.contiguous(), weight, 1e-6)));
}

}  // namespace
}  // namespace ridgeline::inference::cpu
