#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

struct Networks {
  std::vector<at::Tensor> gates;
  std::vector<at::Tensor> ups;
  std::vector<at::Tensor> downs;
};

Networks RandomNetworks(int64_t inputs, const std::vector<int64_t>& widths,
                        at::ScalarType dtype) {
  Networks networks;
  for (const int64_t width : widths) {
    networks.gates.push_back((at::randn({width, inputs}) / 8).to(dtype));
    networks.ups.push_back((at::randn({width, inputs}) / 8).to(dtype));
    networks.downs.push_back((at::randn({inputs, width}) / 8).to(dtype));
  }
  return networks;
}

at::Tensor InPlainCalls(const at::Tensor& x, const at::Tensor& shares,
                        const Networks& networks) {
  at::Tensor sum = at::zeros_like(x);
  for (size_t i = 0; i < networks.gates.size(); ++i) {
    const at::Tensor inner = at::silu(at::linear(x, networks.gates[i].to(at::kFloat))) *
                             at::linear(x, networks.ups[i].to(at::kFloat));
    sum += shares[static_cast<int64_t>(i)] *
           at::linear(inner, networks.downs[i].to(at::kFloat));
  }
  return sum;
}

TEST(Mixture, EqualsThePlainCalls) {
  const c10::InferenceMode no_gradients;
  at::manual_seed(1);
  const std::vector<int64_t> kWidthLists[] = {
      {1}, {96}, {70, 70, 140}, {512, 512, 512, 1024}};
  for (const at::ScalarType dtype : {at::kBFloat16, at::kFloat}) {
    for (const std::vector<int64_t>& widths : kWidthLists) {
      const Networks networks = RandomNetworks(200, widths, dtype);
      const at::Tensor x = at::randn({1, 200});
      const at::Tensor shares = at::rand({static_cast<int64_t>(widths.size())});
      const at::Tensor got =
          Mixture(x, shares, networks.gates, networks.ups, networks.downs);
      const at::Tensor want = InPlainCalls(x, shares, networks);
      EXPECT_LT((got - want).abs().max().item<double>(), 1e-4) << widths.size();
    }
  }
}

TEST(Mixture, RefusesNetworksThatDoNotFit) {
  const Networks good = RandomNetworks(8, {4, 4}, at::kFloat);
  const at::Tensor shares = at::rand({2});
  EXPECT_THROW(Mixture(at::randn({2, 8}), shares, good.gates, good.ups, good.downs),
               c10::Error);
  EXPECT_THROW(Mixture(at::randn({1, 7}), shares, good.gates, good.ups, good.downs),
               c10::Error);
  EXPECT_THROW(Mixture(at::randn({1, 8}), shares, good.gates, good.ups, good.gates),
               c10::Error);
}

}  // namespace
}  // namespace ridgeline::inference::cpu
