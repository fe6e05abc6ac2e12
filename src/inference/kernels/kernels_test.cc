#include "inference/kernels/kernels.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "inference/kernels/rows.h"

namespace ridgeline::inference::cpu {
namespace {

constexpr int64_t kRows = 5;
constexpr int64_t kWidths[] = {1, 7, 8, 15, 16, 63, 64, 65, 128, 200, 1000};

double Largest(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

// Compares every variant supported by this CPU with ATen's f32.
class KernelsTest : public testing::TestWithParam<const Kernels*> {
 protected:
  void SetUp() override {
    if (!GetParam()->is_supported()) GTEST_SKIP() << "this CPU has no such instructions";
    at::manual_seed(1);
  }
  const Kernels& kernels() const { return *GetParam(); }
};

TEST_P(KernelsTest, MultiplyAMatrixByAVector) {
  for (const int64_t cols : kWidths) {
    SCOPED_TRACE(cols);
    const at::Tensor weight = at::randn({kRows, cols});
    const at::Tensor rounded = weight.to(at::kBFloat16);
    const at::Tensor x = at::randn({cols});
    at::Tensor got = at::empty({kRows});
    kernels().gemv_f32(weight.data_ptr<float>(), x.data_ptr<float>(),
                       got.data_ptr<float>(), kRows, cols);
    EXPECT_LT(Largest(got, at::mv(weight, x)), 1e-4);
    kernels().gemv_bf16(Bits(rounded), x.data_ptr<float>(), got.data_ptr<float>(), kRows,
                        cols);
    EXPECT_LT(Largest(got, at::mv(rounded.to(at::kFloat), x)), 1e-4);
  }
}

TEST_P(KernelsTest, WidenExactly) {
  for (const int64_t cols : kWidths) {
    SCOPED_TRACE(cols);
    const at::Tensor rounded = at::randn({cols}).to(at::kBFloat16);
    at::Tensor got = at::empty({cols});
    kernels().widen_bf16(Bits(rounded), got.data_ptr<float>(), cols);
    EXPECT_TRUE(at::equal(got, rounded.to(at::kFloat)));
  }
}

TEST_P(KernelsTest, MixRows) {
  for (const int64_t cols : kWidths) {
    SCOPED_TRACE(cols);
    const at::Tensor rows = at::randn({kRows, cols});
    const at::Tensor shares = at::rand({kRows});
    at::Tensor got = at::full({cols}, 7.0F);
    kernels().mix_rows(rows.data_ptr<float>(), shares.data_ptr<float>(),
                       got.data_ptr<float>(), kRows, cols);
    EXPECT_LT(Largest(got, at::mv(rows.t(), shares)), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelsTest,
                         testing::ValuesIn(AllKernels().begin(), AllKernels().end()),
                         [](const auto& each) { return std::string(each.param->name); });

TEST(BestKernels, AreSupportedHere) { EXPECT_TRUE(BestKernels().is_supported()); }

}  // namespace
}  // namespace ridgeline::inference::cpu
