#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "inference/layers.h"
#include "model_io/checkpoints/checkpoint.h"
#include "models/deepseek_ocr/dimensions.h"

namespace ridgeline::networks::deepseek_ocr {

struct WeightOptions {
  at::ScalarType dtype = at::kFloat;  // What the network computes in.
  at::Device device = at::kCPU;
  bool fused_attention = true;  // Where the build and the device have it.
};

// The tensors of a checkpoint, as the network reads them. Where the checkpoint has them
// in the dtype and on the device that are wanted they are the mapped file itself, not a
// copy; so are bf16 matrices on a CPU that computes in f32.
class Weights {
 public:
  // Every tensor must be there with its shape, and no other.
  static Result<Weights> Load(std::shared_ptr<const checkpoints::Checkpoint> checkpoint,
                              const models::deepseek_ocr::Dimensions& dimensions,
                              const WeightOptions& options);

  // All tensors made up, in f32: for what depends on shapes alone.
  static Weights Random(const models::deepseek_ocr::Dimensions& dimensions,
                        uint64_t seed);

  // The name must be one of the model's.
  at::Tensor Get(const std::string& name) const;
  // A matrix of linear layers or embeddings, perhaps still in bf16.
  at::Tensor GetMatrix(const std::string& name) const;
  inference::Linear GetLinear(const std::string& name) const;  // With its bias.
  inference::Linear GetLinearWithoutBias(const std::string& name) const;
  inference::LayerNorm GetNorm(const std::string& name, double epsilon) const;
  inference::GatedMlp GetMlp(const std::string& name) const;

  const WeightOptions& options() const { return options_; }
  std::vector<std::filesystem::path> files() const;

 private:
  std::shared_ptr<const checkpoints::Checkpoint> checkpoint_;  // Keeps the mapping.
  std::unordered_map<std::string, at::Tensor> tensors_;        // As stored.
  WeightOptions options_;
};

}  // namespace ridgeline::networks::deepseek_ocr
