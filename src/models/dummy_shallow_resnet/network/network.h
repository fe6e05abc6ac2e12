#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace ridgeline::networks::dummy_shallow_resnet {

// A residual network of a few layers with random weights: untrained and fast. For trying
// a profiler on convolutions, and as the shortest example of a model.
class Network {
 public:
  // The same seed gives the same weights.
  Network(uint64_t seed, at::Device device, at::ScalarType dtype);

  static constexpr int64_t kClasses = 1000;

  // (n, 3, height, width) -> (n, classes)
  at::Tensor Forward(const at::Tensor& pictures) const;

  at::Device device() const { return stem_.device(); }
  at::ScalarType dtype() const { return stem_.scalar_type(); }

 private:
  struct Block {
    at::Tensor conv1;
    at::Tensor conv2;
    at::Tensor shortcut;  // Undefined: identity.
    int64_t stride = 1;
  };

  static at::Tensor Run(const Block& block, const at::Tensor& x);

  at::Tensor stem_;
  std::vector<Block> blocks_;
  at::Tensor head_weight_;
  at::Tensor head_bias_;
};

}  // namespace ridgeline::networks::dummy_shallow_resnet
