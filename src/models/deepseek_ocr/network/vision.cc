#include "models/deepseek_ocr/network/vision.h"

#include <cmath>

#include "inference/region.h"
#include "inference/scope.h"
#include "inference/session.h"

namespace ridgeline::networks::deepseek_ocr {

Vision::Vision(const models::deepseek_ocr::Dimensions& dimensions, const Weights& weights)
    : sam_(dimensions.sam, weights),
      clip_(dimensions.clip, weights),
      projector_(weights.GetLinear("model.projector.layers")),
      newline_(weights.Get("model.image_newline")),
      separator_(weights.Get("model.view_seperator")) {}

at::Tensor Vision::Encode(const at::Tensor& views, VisionTimes& times,
                          const inference::Observer& observer) const {
  at::Tensor sam;
  {
    const inference::Region region("sam");
    const inference::PhaseTimer timer(views.device(), times.sam_s);
    sam = sam_.Encode(views, observer);
  }
  at::Tensor clip;
  {
    const inference::Region region("clip");
    const inference::PhaseTimer timer(views.device(), times.clip_s);
    clip = clip_.Encode(sam, observer);
  }
  const inference::Region region("projector");
  const inference::PhaseTimer timer(views.device(), times.projector_s);
  // CLIP's half first, without its class token.
  const at::Tensor both = at::cat(
      {clip.narrow(1, 1, clip.size(1) - 1), sam.flatten(2).permute({0, 2, 1})}, -1);
  const at::Tensor features = inference::In("projector", projector_, both);
  inference::Tell(observer, "projector", features);
  return features;
}

// (lines, tokens, hidden) -> (lines * (tokens + 1), hidden)
at::Tensor Vision::WithNewlines(const at::Tensor& lines) const {
  const at::Tensor ends =
      newline_.view({1, 1, -1}).expand({lines.size(0), 1, lines.size(2)});
  return at::cat({lines, ends}, 1).reshape({-1, lines.size(2)});
}

at::Tensor Vision::EncodePage(const PageTensors& page, VisionTimes& times,
                              const inference::Observer& observer) const {
  std::vector<at::Tensor> parts;
  if (page.crops.defined()) {
    const at::Tensor local = Encode(page.crops, times, observer);
    const int64_t side = std::lround(std::sqrt(static_cast<double>(local.size(1))));
    const int64_t hidden = local.size(2);
    // A line spans all crops of its row.
    parts.push_back(WithNewlines(
        local.view({page.grid_rows, page.grid_cols, side, side, hidden})
            .permute({0, 2, 1, 3, 4})
            .reshape({page.grid_rows * side, page.grid_cols * side, hidden})));
  }
  const at::Tensor global = Encode(page.global, times, observer);
  const int64_t side = std::lround(std::sqrt(static_cast<double>(global.size(1))));
  parts.push_back(WithNewlines(global.view({side, side, global.size(2)})));
  parts.push_back(separator_.unsqueeze(0));
  return at::cat(parts, 0);
}

}  // namespace ridgeline::networks::deepseek_ocr
