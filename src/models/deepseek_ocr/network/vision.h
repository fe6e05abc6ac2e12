#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "base/result.h"
#include "inference/layers.h"
#include "inference/session.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// A CLIP transformer that takes SAM's features instead of patches.
class ClipEncoder {
 public:
  ClipEncoder(const models::deepseek_ocr::ClipDimensions& dimensions,
              const Weights& weights);

  // (views, width, n, n) -> (views, 1 + n * n, width); the first token is the class.
  at::Tensor Encode(const at::Tensor& features,
                    const inference::Observer& observer = {}) const;

  // Added to the class and the features: (1 + grid * grid, width).
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

// The rows of a block's table for each pair of a query and a key along a side of that
// length: (side, side, head width). The table is interpolated if it is for another
// length.
at::Tensor RelativePositions(const at::Tensor& table, int64_t side);

// A vision transformer whose blocks attend in windows, a few of them globally, followed
// by two convolutions that reduce the number of positions to a sixteenth.
class SamEncoder {
 public:
  SamEncoder(const models::deepseek_ocr::SamDimensions& dimensions,
             const Weights& weights);

  // (views, 3, side, side) -> (views, out_width, side / 64, side / 64)
  at::Tensor Encode(const at::Tensor& views,
                    const inference::Observer& observer = {}) const;

  // Added to the patches of a page: (1, grid, grid, width).
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

// Input of the encoder: the whole page, and its crops row by row.
struct PageTensors {
  at::Tensor global;  // (1, 3, side, side)
  at::Tensor crops;   // (cols * rows, 3, 640, 640); undefined: none.
  int64_t grid_cols = 1;
  int64_t grid_rows = 1;
};

// Wall times in seconds, without the final reordering of tokens.
struct VisionTimes {
  double sam_s = 0;
  double clip_s = 0;
  double projector_s = 0;
};

// From pixels to image tokens.
class Vision {
 public:
  Vision(const models::deepseek_ocr::Dimensions& dimensions, const Weights& weights);

  // (views, 3, side, side) -> (views, n * n, hidden)
  at::Tensor Encode(const at::Tensor& views, VisionTimes& times,
                    const inference::Observer& observer = {}) const;

  // All features of a page in the order of its placeholders: the lines of the reassembled
  // crops, each with a newline at its end, then those of the page, then a separator.
  at::Tensor EncodePage(const PageTensors& page, VisionTimes& times,
                        const inference::Observer& observer = {}) const;

  const SamEncoder& sam() const { return sam_; }
  const ClipEncoder& clip() const { return clip_; }

 private:
  at::Tensor WithNewlines(const at::Tensor& lines) const;

  SamEncoder sam_;
  ClipEncoder clip_;
  inference::Linear projector_;
  at::Tensor newline_;
  at::Tensor separator_;
};

}  // namespace ridgeline::networks::deepseek_ocr
