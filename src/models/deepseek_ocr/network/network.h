#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "inference/layers.h"
#include "inference/session.h"
#include "models/deepseek_ocr/dimensions.h"
#include "models/deepseek_ocr/network/vision.h"
#include "models/deepseek_ocr/network/weights.h"

namespace ridgeline::networks::deepseek_ocr {

// Keys, already rotated, and values of every layer, for the tokens so far.
class KeyValueCache {
 public:
  // Appends (kv_heads, new, head width) and returns all keys and values of that layer.
  struct Pair {
    at::Tensor keys;
    at::Tensor values;
  };
  Pair Append(size_t layer, const at::Tensor& keys, const at::Tensor& values);
  // Keys and values of a layer, which must not be empty.
  Pair At(size_t layer) const;

  // Number of tokens seen by all layers.
  int64_t length() const { return length_; }
  void Advance(int64_t tokens) { length_ += tokens; }

 private:
  std::vector<Pair> layers_;  // With spare capacity after length() + new.
  int64_t length_ = 0;
};

// The language model: dense layers, then mixtures of experts.
class Decoder {
 public:
  Decoder(const models::deepseek_ocr::DecoderDimensions& dimensions,
          const Weights& weights);

  at::Tensor Embed(const at::Tensor& ids) const;  // (n) -> (n, hidden)

  // Runs the next tokens, given as (n, hidden), through all layers. Returns the output of
  // the last one, before the final norm.
  at::Tensor Forward(const at::Tensor& embeddings, KeyValueCache& cache,
                     const inference::Observer& observer = {}) const;

  // (n, hidden) -> (n, vocabulary), f32
  at::Tensor Logits(const at::Tensor& hidden) const;

  // Parts of Forward, for callers that need one of them.
  struct Rotation {
    at::Tensor cos;  // (n, head width)
    at::Tensor sin;
  };
  struct Routing {
    at::Tensor shares;  // (n, experts per token); all experts sum to one.
    at::Tensor chosen;
  };
  Rotation RotationFor(int64_t first_position, int64_t count,
                       const at::Tensor& like) const;
  // Both take the output of the preceding norm.
  at::Tensor Attend(size_t layer, const at::Tensor& x, const Rotation& rotation,
                    KeyValueCache& cache) const;
  at::Tensor Feed(size_t layer, const at::Tensor& x) const;
  // For a layer with experts.
  Routing Route(size_t layer, const at::Tensor& x) const;
  // The whole layer; the cache does not advance.
  at::Tensor RunLayer(size_t layer, const at::Tensor& x, const Rotation& rotation,
                      KeyValueCache& cache) const;

 private:
  struct Layer {
    inference::RmsNorm input_norm;
    inference::Linear q;
    inference::Linear k;
    inference::Linear v;
    inference::Linear o;
    inference::RmsNorm post_norm;
    inference::GatedMlp dense;  // Of a dense layer; otherwise the shared experts.
    bool has_experts = false;
    bool has_shared = false;
    at::Tensor router;  // (experts, hidden)
    std::vector<inference::GatedMlp> experts;
  };

  Layer LoadLayer(int64_t index, const Weights& weights) const;
  at::Tensor MixOne(const Layer& layer, const at::Tensor& x, const at::Tensor& shares,
                    at::ArrayRef<int64_t> choices) const;
  at::Tensor MixMany(const Layer& layer, const at::Tensor& x, const at::Tensor& shares,
                     at::ArrayRef<int64_t> choices) const;

  models::deepseek_ocr::DecoderDimensions dimensions_;
  bool fused_attention_;
  at::Tensor embeddings_;
  std::vector<Layer> layers_;
  inference::RmsNorm norm_;
  inference::Linear head_;
};

// The whole network, ready to read pages.
class Network {
 public:
  // From a folder in Hugging Face's layout.
  static Result<Network> Load(const std::filesystem::path& directory,
                              const WeightOptions& options);

  // With any dimensions and random weights.
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

  // Embeddings of the prompt, with the page's features replacing its placeholders.
  // Features beyond the last placeholder are dropped; fewer features are an error.
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
  Weights weights_;  // Keeps the files mapped.
};

}  // namespace ridgeline::networks::deepseek_ocr
