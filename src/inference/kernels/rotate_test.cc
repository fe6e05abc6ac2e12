#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

TEST(Rotate, TurnsPairsThatAreHalfTheWidthApart) {
  const c10::InferenceMode no_gradients;
  at::manual_seed(1);
  for (const int64_t count : {1, 9}) {
    // The layout of heads after a projection: tokens first.
    const at::Tensor x = at::randn({count, 4, 16}).transpose(0, 1);
    const at::Tensor half = at::randn({count, 8});
    const at::Tensor angles = at::cat({half, half}, -1);
    const at::Tensor cos = at::cos(angles);
    const at::Tensor sin = at::sin(angles);
    const at::Tensor turned = at::cat({-x.narrow(-1, 8, 8), x.narrow(-1, 0, 8)}, -1);
    EXPECT_TRUE(at::allclose(Rotate(x, cos, sin), x * cos + turned * sin, 1e-5, 1e-6));
  }
}

TEST(Rotate, RefusesAnglesOfOtherTokens) {
  const at::Tensor x = at::randn({2, 3, 8});
  EXPECT_THROW(Rotate(x, at::randn({2, 8}), at::randn({2, 8})), c10::Error);
}

}  // namespace
}  // namespace ridgeline::inference::cpu
