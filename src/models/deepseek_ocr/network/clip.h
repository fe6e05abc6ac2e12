#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "inference/layers.h"
#include "inference/observer.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// A CLIP transformer that takes SAM's features in place of patches.
class ClipEncoder {
 public:
  ClipEncoder(const models::deepseek_ocr::ClipDimensions& dimensions,
              const Weights& weights);

  // (views, width, n, n) -> (views, 1 + n * n, width); the first token is the class.
  at::Tensor Encode(const at::Tensor& features,
                    const inference::Observer& observer = {}) const;

  // What is added to the class and the features: (1 + grid * grid, width).
  at::Tensor Positions(int64_t grid) const;

 private:
  struct Layer {
    inference::LayerNorm norm1;
    inference::Linear qkv;
    inference::Linear out;
    inference::LayerNorm norm2;
    inference::Linear fc1;
    inference::Linear fc2;
  };

  static at::Tensor Feed(const Layer& layer, const at::Tensor& x);
  at::Tensor Attend(const Layer& layer, const at::Tensor& x) const;

  models::deepseek_ocr::ClipDimensions dimensions_;
  bool fused_attention_;
  at::Tensor class_embedding_;
  at::Tensor positions_;  // (1 + 16 * 16, width)
  inference::LayerNorm pre_norm_;
  std::vector<Layer> layers_;
};

}  // namespace ridgeline::networks::deepseek_ocr
