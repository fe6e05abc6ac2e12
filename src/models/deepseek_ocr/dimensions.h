#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::models::deepseek_ocr {

// The SAM encoder: windowed attention over 16x16 patches.
struct SamDimensions {
  int64_t width = 768;
  int64_t layers = 12;
  int64_t heads = 12;
  std::vector<int64_t> global_layers = {2, 5, 8, 11};  // The others are windowed.
  int64_t neck_width = 256;
  int64_t down_width = 512;  // After the first stride-2 convolution.
  int64_t out_width = 1024;  // After the second.
  // Not configurable.
  int64_t patch = 16;
  int64_t window = 14;
  int64_t mlp_ratio = 4;
  int64_t table_side = 64;  // Of the position table.

  bool IsGlobal(int64_t layer) const;
};

// The CLIP encoder, which takes SAM's features as input.
struct ClipDimensions {
  int64_t width = 1024;
  int64_t layers = 24;
  int64_t heads = 16;
  int64_t patch = 14;
  int64_t table_side = 16;
  int64_t mlp_ratio = 4;
};

// The decoder: dense layers first, then mixtures of experts.
struct DecoderDimensions {
  int64_t hidden = 1280;
  int64_t layers = 12;
  int64_t heads = 10;
  int64_t kv_heads = 10;
  int64_t dense_layers = 1;
  int64_t dense_width = 6848;
  int64_t experts = 64;
  int64_t experts_per_token = 6;
  int64_t expert_width = 896;
  int64_t shared_experts = 2;
  int64_t vocabulary = 129280;
  int64_t max_positions = 8192;
  double rope_theta = 10000;
  double norm_epsilon = 1e-6;
  int64_t bos_id = 0;
  int64_t eos_id = 1;

  int64_t head_width() const { return hidden / heads; }
};

struct Dimensions {
  SamDimensions sam;
  ClipDimensions clip;
  DecoderDimensions decoder;
  int64_t projector_input = 2048;
};

// From a model's config.json. Inconsistent dimensions, and variants not supported here
// (latent attention, tied embeddings), are errors that name the key; `origin` names the
// file.
Result<Dimensions> ParseDimensions(std::string_view config_json, std::string_view origin);

}  // namespace ridgeline::models::deepseek_ocr
