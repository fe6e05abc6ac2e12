#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <memory>
#include <span>

#include "base/result.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/decoder.h"
#include "models/deepseek_ocr/network/vision.h"
#include "models/deepseek_ocr/network/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// The whole network, ready to read pages.
class Network {
 public:
  // From a folder in the layout of Hugging Face.
  static Result<Network> Load(const std::filesystem::path& directory,
                              const WeightOptions& options);

  // Of any dimensions, with made-up weights.
  static Network Random(const models::deepseek_ocr::Dimensions& dimensions,
                        uint64_t seed) {
    return Network(dimensions, {}, Weights::Random(dimensions, seed));
  }

  const models::deepseek_ocr::Dimensions& dimensions() const { return dimensions_; }
  const WeightOptions& options() const { return options_; }
  const Vision& vision() const { return vision_; }
  const Decoder& decoder() const { return decoder_; }
  const Weights& weights() const { return weights_; }

  std::vector<std::filesystem::path> files() const { return weights_.files(); }

  // The prompt's embeddings, with the page's features in place of its placeholders.
  // There may be more features than placeholders, and then the last ones are left out;
  // fewer are an error.
  Result<at::Tensor> Embed(std::span<const int64_t> ids, int64_t image_id,
                           const at::Tensor& image_features) const;

 private:
  Network(const models::deepseek_ocr::Dimensions& dimensions,
          const WeightOptions& options, const Weights& weights)
      : dimensions_(dimensions),
        options_(options),
        vision_(dimensions, weights),
        decoder_(dimensions.decoder, weights),
        weights_(weights) {}

  models::deepseek_ocr::Dimensions dimensions_;
  WeightOptions options_;
  Vision vision_;
  Decoder decoder_;
  Weights weights_;  // Keeps the mapped files.
};

}  // namespace ridgeline::networks::deepseek_ocr
