#include "models/dummy_shallow_resnet/network/network.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>

#include "inference/region.h"

namespace ridgeline::networks::dummy_shallow_resnet {
namespace {

constexpr int64_t kWidths[] = {16, 32, 64};

// Weights that preserve the scale of activations.
class Random {
 public:
  Random(uint64_t seed, at::Device device, at::ScalarType dtype)
      : generator_(at::detail::createCPUGenerator(seed)),
        device_(device),
        dtype_(dtype) {}

  at::Tensor Make(const std::vector<int64_t>& shape) {
    int64_t inputs = 1;
    for (size_t i = 1; i < shape.size(); ++i) inputs *= shape[i];
    const double size = std::sqrt(2.0 / static_cast<double>(inputs));
    return (at::randn(shape, generator_) * size).to(device_, dtype_);
  }

 private:
  at::Generator generator_;
  at::Device device_;
  at::ScalarType dtype_;
};

}  // namespace

Network::Network(uint64_t seed, at::Device device, at::ScalarType dtype) {
  Random random(seed, device, dtype);
  stem_ = random.Make({kWidths[0], 3, 7, 7});
  int64_t inputs = kWidths[0];
  for (const int64_t width : kWidths) {
    Block block;
    block.stride = width == inputs ? 1 : 2;
    block.conv1 = random.Make({width, inputs, 3, 3});
    block.conv2 = random.Make({width, width, 3, 3});
    if (width != inputs) block.shortcut = random.Make({width, inputs, 1, 1});
    blocks_.push_back(std::move(block));
    inputs = width;
  }
  head_weight_ = random.Make({kClasses, inputs});
  head_bias_ = at::zeros({kClasses}, at::TensorOptions().device(device).dtype(dtype));
}

at::Tensor Network::Run(const Block& block, const at::Tensor& x) {
  at::Tensor y = at::relu(at::conv2d(x, block.conv1, {}, block.stride, 1));
  y = at::conv2d(y, block.conv2, {}, 1, 1);
  const at::Tensor kept =
      block.shortcut.defined() ? at::conv2d(x, block.shortcut, {}, block.stride) : x;
  return at::relu(y + kept);
}

at::Tensor Network::Forward(const at::Tensor& pictures) const {
  at::Tensor x;
  {
    const inference::Region region("stem");
    x = at::max_pool2d(at::relu(at::conv2d(pictures, stem_, {}, 2, 3)), 3, 2, 1);
  }
  {
    const inference::Region region("blocks");
    for (const Block& block : blocks_) x = Run(block, x);
  }
  const inference::Region region("head");
  return at::linear(x.mean({2, 3}), head_weight_, head_bias_);
}

}  // namespace ridgeline::networks::dummy_shallow_resnet
