#include "models/deepseek_ocr/network/network.h"

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "inference/torch_errors.h"

namespace ridgeline::networks::deepseek_ocr {

Result<Network> Network::Load(const std::filesystem::path& directory,
                              const WeightOptions& options) {
  const c10::InferenceMode no_gradients;
  RIDGELINE_TRY(checkpoints::Checkpoint opened, checkpoints::Checkpoint::Open(directory));
  const auto checkpoint =
      std::make_shared<const checkpoints::Checkpoint>(std::move(opened));
  RIDGELINE_TRY(const models::deepseek_ocr::Dimensions dimensions,
                models::deepseek_ocr::ParseDimensions(
                    checkpoint->config_json(), checkpoint->config_path().string()));
  return inference::CatchTorch("loading the model", [&]() -> Result<Network> {
    RIDGELINE_TRY(const Weights weights, Weights::Load(checkpoint, dimensions, options));
    return Network(dimensions, options, weights);
  });
}

Result<at::Tensor> Network::Embed(std::span<const int64_t> ids, int64_t image_id,
                                  const at::Tensor& image_features) const {
  const at::Tensor all =
      at::tensor(at::ArrayRef<int64_t>(ids.data(), ids.size()), at::kLong)
          .to(options_.device);
  at::Tensor embeddings = decoder_.Embed(all);
  if (!image_features.defined()) return embeddings;
  const at::Tensor places = (all == image_id).nonzero().squeeze(1);
  const int64_t count = places.size(0);
  if (image_features.size(0) < count) {
    return Error(ErrorCode::kConfig,
                 fmt::format("the prompt has {} image tokens, but the page yields only "
                             "{}; reduce model.preprocess.image_size",
                             count, image_features.size(0)));
  }
  return embeddings.index_copy(0, places, image_features.narrow(0, 0, count));
}

}  // namespace ridgeline::networks::deepseek_ocr
