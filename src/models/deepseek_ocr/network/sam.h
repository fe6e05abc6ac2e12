#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "inference/layers.h"
#include "inference/observer.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// From the table of a block, the row for each pair of a query and a key along a side of
// that length: (side, side, head width). The table is stretched if it was made for
// another one.
at::Tensor RelativePositions(const at::Tensor& table, int64_t side);

// A vision transformer whose blocks attend in windows, a few of them to everything, and
// two convolutions that leave a sixteenth of its positions.
class SamEncoder {
 public:
  SamEncoder(const models::deepseek_ocr::SamDimensions& dimensions,
             const Weights& weights);

  // (views, 3, side, side) -> (views, out_width, side / 64, side / 64).
  at::Tensor Encode(const at::Tensor& views,
                    const inference::Observer& observer = {}) const;

  // What is added to the patches of a page: (1, grid, grid, width).
  at::Tensor Positions(int64_t grid) const;

 private:
  struct Block {
    inference::LayerNorm norm1;
    inference::Linear qkv;
    inference::Linear proj;
    at::Tensor rel_pos_h;  // (2 * side - 1, head width)
    at::Tensor rel_pos_w;
    inference::LayerNorm norm2;
    inference::Linear lin1;
    inference::Linear lin2;
    bool is_global = false;
  };

  at::Tensor Patches(const at::Tensor& views) const;
  static at::Tensor Feed(const Block& block, const at::Tensor& x);
  at::Tensor Attend(const Block& block, const at::Tensor& x) const;
  at::Tensor AttendInWindows(const Block& block, const at::Tensor& x) const;
  at::Tensor Neck(const at::Tensor& x, const inference::Observer& observer) const;

  models::deepseek_ocr::SamDimensions dimensions_;
  at::Tensor patch_weight_;
  at::Tensor patch_bias_;
  at::Tensor positions_;  // (1, 64, 64, width)
  std::vector<Block> blocks_;
  at::Tensor neck_narrow_;
  inference::LayerNorm neck_norm1_;
  at::Tensor neck_conv_;
  inference::LayerNorm neck_norm2_;
  at::Tensor down1_;
  at::Tensor down2_;
};

}  // namespace ridgeline::networks::deepseek_ocr
