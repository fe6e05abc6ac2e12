#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

class LinearTest : public testing::TestWithParam<at::ScalarType> {
 protected:
  LinearTest() { at::manual_seed(1); }
  at::Tensor Weight(int64_t outputs, int64_t inputs) const {
    return at::randn({outputs, inputs}).to(GetParam());
  }
  const c10::InferenceMode no_gradients_;
};

TEST_P(LinearTest, EqualsThePlainPathForAllShapes) {
  for (const int64_t tokens : {1, 2, 4, 5, 33}) {
    for (const int64_t inputs : {1, 7, 8, 33, 64, 100, 1280}) {
      for (const int64_t outputs : {1, 3, 48, 640}) {
        const at::Tensor x = at::randn({tokens, inputs});
        const at::Tensor weight = Weight(outputs, inputs);
        const at::Tensor bias = at::randn({outputs});
        const at::Tensor want = at::linear(x, weight.to(at::kFloat), bias);
        const at::Tensor got = Linear(x, weight, bias);
        ASSERT_EQ(got.sizes(), want.sizes());
        EXPECT_LT((got - want).abs().max().item<double>(), 1e-4)
            << tokens << " x " << inputs << " -> " << outputs;
      }
    }
  }
}

TEST_P(LinearTest, KeepsTheDimensionsInFront) {
  const at::Tensor x = at::randn({2, 3, 5, 16});
  const at::Tensor weight = Weight(7, 16);
  const at::Tensor got = Linear(x, weight, {});
  EXPECT_EQ(got.sizes(), (std::vector<int64_t>{2, 3, 5, 7}));
  EXPECT_TRUE(at::allclose(got, at::linear(x, weight.to(at::kFloat)), 1e-4, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Weights, LinearTest, testing::Values(at::kBFloat16, at::kFloat),
                         [](const auto& each) { return at::toString(each.param); });

TEST(Linear, RefusesWhatItCannotMultiply) {
  const at::Tensor x = at::randn({2, 16});
  EXPECT_THROW(Linear(x, at::randn({7, 16}).to(at::kHalf), {}), c10::Error);
  EXPECT_THROW(Linear(x, at::randn({7, 15}), {}), c10::Error);
  EXPECT_THROW(Linear(x, at::randn({16, 7}).t(), {}), c10::Error);
}

}  // namespace
}  // namespace ridgeline::inference::cpu
