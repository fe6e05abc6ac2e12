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
  at::ScalarType dtype = at::kFloat;  // Compute dtype.
  at::Device device = at::kCPU;
  bool fused_attention = true;  // If supported by the build and the device.
};

// The tensors of a checkpoint for the network. If the checkpoint has them in the
// requested dtype and on the requested device they are the mapped file itself, not a
// copy; so are bf16 matrices on a CPU that computes in f32.
class Weights {
 public:
  // The tensors and their shapes must match exactly.
  static Result<Weights> Load(std::shared_ptr<const checkpoints::Checkpoint> checkpoint,
                              const models::deepseek_ocr::Dimensions& dimensions,
                              const WeightOptions& options);

  // Random f32 tensors, for results that depend on shapes only.
  static Weights Random(const models::deepseek_ocr::Dimensions& dimensions,
                        uint64_t seed);

  // The name must exist in the model.
  at::Tensor Get(const std::string& name) const;
  // A matrix of linear layers or embeddings; may still be bf16.
  at::Tensor GetMatrix(const std::string& name) const;
  inference::Linear GetLinear(const std::string& name) const;  // With its bias.
  inference::Linear GetLinearWithoutBias(const std::string& name) const;
  inference::LayerNorm GetNorm(const std::string& name, double epsilon) const;
  inference::GatedMlp GetMlp(const std::string& name) const;

  const WeightOptions& options() const { return options_; }
  std::vector<std::filesystem::path> files() const;

 private:
  std::shared_ptr<const checkpoints::Checkpoint> checkpoint_;  // Keeps the files mapped.
  std::unordered_map<std::string, at::Tensor> tensors_;        // As stored.
  WeightOptions options_;
};

}  // namespace ridgeline::networks::deepseek_ocr
