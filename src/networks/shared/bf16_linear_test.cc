#include "networks/shared/bf16_linear.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "networks/shared/bf16_kernels.h"

namespace ridgeline::networks {
namespace {

class Bf16LinearTest : public testing::Test {
 protected:
  Bf16LinearTest() { at::manual_seed(1); }
  const c10::InferenceMode no_gradients_;
};

TEST_F(Bf16LinearTest, EqualsThePlainPathForAllShapes) {
  for (const int64_t tokens : {1, 2, 4, 5, 33}) {
    for (const int64_t inputs : {1, 7, 8, 33, 64, 100, 1280}) {
      for (const int64_t outputs : {1, 3, 48, 640}) {
        const at::Tensor x = at::randn({tokens, inputs});
        const at::Tensor weight = at::randn({outputs, inputs}).to(at::kBFloat16);
        const at::Tensor bias = at::randn({outputs});
        const at::Tensor want = at::linear(x, weight.to(at::kFloat), bias);
        const at::Tensor got = LinearBf16(x, weight, bias);
        ASSERT_EQ(got.sizes(), want.sizes());
        EXPECT_LT((got - want).abs().max().item<double>(), 1e-4)
            << tokens << " x " << inputs << " -> " << outputs;
      }
    }
  }
}

TEST_F(Bf16LinearTest, KeepsTheDimensionsInFront) {
  const at::Tensor x = at::randn({2, 3, 5, 16});
  const at::Tensor weight = at::randn({7, 16}).to(at::kBFloat16);
  const at::Tensor got = LinearBf16(x, weight, {});
  EXPECT_EQ(got.sizes(), (std::vector<int64_t>{2, 3, 5, 7}));
  EXPECT_TRUE(at::allclose(got, at::linear(x, weight.to(at::kFloat)), 1e-4, 1e-5));
}

TEST_F(Bf16LinearTest, RefusesWhatItCannotMultiply) {
  const at::Tensor x = at::randn({2, 16});
  EXPECT_THROW(LinearBf16(x, at::randn({7, 16}), {}), c10::Error);
  EXPECT_THROW(LinearBf16(x, at::randn({7, 15}).to(at::kBFloat16), {}), c10::Error);
}

// Every variant that this CPU has, against the portable one.
TEST_F(Bf16LinearTest, AllVariantsAgree) {
  const Bf16Kernels& portable = AllBf16Kernels().back();
  for (const Bf16Kernels& kernels : AllBf16Kernels()) {
    if (!kernels.is_supported()) continue;
    SCOPED_TRACE(kernels.name);
    for (const int64_t cols : {1, 15, 16, 63, 64, 65, 200, 1000}) {
      constexpr int64_t kRows = 5;
      const at::Tensor weight = at::randn({kRows, cols}).to(at::kBFloat16);
      const at::Tensor x = at::randn({cols});
      const auto* bits =
          reinterpret_cast<const uint16_t*>(weight.data_ptr<at::BFloat16>());
      at::Tensor got = at::empty({kRows});
      at::Tensor want = at::empty({kRows});
      kernels.gemv(bits, x.data_ptr<float>(), got.data_ptr<float>(), kRows, cols);
      portable.gemv(bits, x.data_ptr<float>(), want.data_ptr<float>(), kRows, cols);
      EXPECT_LT((got - want).abs().max().item<double>(), 1e-4);
      at::Tensor wide = at::empty({kRows, cols});
      kernels.widen(bits, wide.data_ptr<float>(), kRows * cols);
      EXPECT_TRUE(at::equal(wide, weight.to(at::kFloat)));
    }
  }
}

}  // namespace
}  // namespace ridgeline::networks
