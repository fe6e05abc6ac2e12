#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/strict_json.h"

namespace ridgeline::checkpoints {
namespace {

using Json = nlohmann::json;

// An untrusted index must not make us read files elsewhere.
bool IsPlainName(std::string_view file) {
  return !file.empty() && file != "." && file != ".." &&
         file.find('/') == std::string_view::npos &&
         file.find('\0') == std::string_view::npos;
}

Result<WeightMap> ReadWeightMap(std::string_view json) {
  RIDGELINE_TRY(const Json document, ParseStrictJson(json));
  const auto found = document.find("weight_map");
  if (!document.is_object() || found == document.end() || !found->is_object()) {
    return Error(ErrorCode::kParse, "has no weight_map");
  }
  WeightMap weight_map;
  for (const auto& [tensor, file] : found->items()) {
    if (!file.is_string() || !IsPlainName(file.get_ref<const std::string&>())) {
      return Error(ErrorCode::kParse,
                   fmt::format("has an invalid file name for tensor {}", Quoted(tensor)));
    }
    weight_map[tensor] = file.get_ref<const std::string&>();
  }
  if (weight_map.empty()) return Error(ErrorCode::kParse, "has an empty weight_map");
  return weight_map;
}

}  // namespace

Result<WeightMap> ParseWeightIndex(std::string_view json, std::string_view origin) {
  Result<WeightMap> weight_map = ReadWeightMap(json);
  if (!weight_map.ok()) return std::move(weight_map).error().While(origin);
  return weight_map;
}

std::string ToWeightIndexJson(const WeightMap& weight_map, int64_t total_bytes) {
  const Json document = {{"metadata", {{"total_size", total_bytes}}},
                         {"weight_map", weight_map}};
  constexpr int kIndent = 2;
  return DumpJson(document, kIndent) + "\n";
}

}  // namespace ridgeline::checkpoints
