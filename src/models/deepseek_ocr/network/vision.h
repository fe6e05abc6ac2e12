#pragma once

#include <ATen/ATen.h>

#include "base/result.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/clip.h"
#include "models/deepseek_ocr/network/sam.h"

namespace ridgeline::networks::deepseek_ocr {

// A page as the encoder takes it: the whole page, and its crops row by row.
struct PageTensors {
  at::Tensor global;  // (1, 3, side, side)
  at::Tensor crops;   // (cols * rows, 3, 640, 640); undefined: none.
  int64_t grid_cols = 1;
  int64_t grid_rows = 1;
};

// Wall times in seconds; without the order of the tokens, which is put right at the end.
struct VisionTimes {
  double sam_s = 0;
  double clip_s = 0;
  double projector_s = 0;
};

// From pixels to image tokens.
class Vision {
 public:
  Vision(const models::deepseek_ocr::Dimensions& dimensions, const Weights& weights);

  // (views, 3, side, side) -> (views, n * n, hidden).
  at::Tensor Encode(const at::Tensor& views, VisionTimes& times,
                    const inference::Observer& observer = {}) const;

  // All features of a page in the order of its placeholders: the lines of the crops put
  // together, each with a newline at its end, then those of the page, then a separator.
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
