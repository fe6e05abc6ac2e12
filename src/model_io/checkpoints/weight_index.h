// model.safetensors.index.json: which file of a model holds which tensor.
//
//   {"metadata": {"total_size": 24},
//    "weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::checkpoints {

inline constexpr std::string_view kWeightIndexName = "model.safetensors.index.json";

// Tensor -> name of a file beside the index.
using WeightMap = std::map<std::string, std::string>;

// Takes no notice of total_size, which is often wrong. Not empty.
Result<WeightMap> ParseWeightIndex(std::string_view json, std::string_view origin);

// `total_bytes` of all tensors, headers not counted. The names must be UTF-8.
std::string ToWeightIndexJson(const WeightMap& weight_map, int64_t total_bytes);

}  // namespace ridgeline::checkpoints
