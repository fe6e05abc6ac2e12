// A model in Hugging Face's directory layout, opened for reading.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model_io/checkpoints/safetensors.h"

namespace ridgeline::checkpoints {

struct CheckpointFile {
  std::filesystem::path path;  // In directory(); may be a symbolic link, as in the cache.
  int64_t size_bytes = 0;
};

// config.json and the weights: model.safetensors, or the files named by
// model.safetensors.index.json, or otherwise the only .safetensors file. Opening reads
// headers only; weights are paged in on access. Moving it does not move tensors.
class Checkpoint {
 public:
  // `path`: a model's directory, or its folder in the cache (FindModelDirectory). Files
  // or tensors of the index that are missing are listed in one error.
  static Result<Checkpoint> Open(const std::filesystem::path& path);

  // The directory with config.json and the tokenizer.
  const std::filesystem::path& directory() const { return directory_; }

  // As read, not parsed.
  const std::filesystem::path& config_path() const { return config_path_; }
  const std::string& config_json() const { return config_json_; }

  // Sorted by name. With an index, only the tensors in it.
  std::span<const TensorView> tensors() const { return tensors_; }
  const TensorView* Find(std::string_view name) const;  // Null if there is none.

  // Files that were opened: config.json, the index if any, the weights.
  std::span<const CheckpointFile> files() const { return files_; }

 private:
  Checkpoint() = default;
  Status OpenConfig();
  Status OpenSingle(const std::string& name);
  Status OpenIndex();

  std::filesystem::path directory_;
  std::filesystem::path config_path_;
  std::string config_json_;
  std::vector<SafetensorsFile> weights_;
  std::vector<TensorView> tensors_;
  std::vector<CheckpointFile> files_;
};

// Checks that a checkpoint has exactly the tensors of a model.

struct ExpectedTensor {
  std::string name;
  std::vector<int64_t> shape;
};

// Reports everything missing, unexpected or of another shape in one error: the counts,
// and the first 20 of each. `tensors` must be sorted by name, `expected` without
// duplicates. Data types are not compared, and the index is not checked.
Status CheckInventory(std::span<const TensorView> tensors,
                      std::span<const ExpectedTensor> expected, std::string_view origin);
Status CheckInventory(const Checkpoint& checkpoint,
                      std::span<const ExpectedTensor> expected);

// The directory with config.json for `path`: itself, or, if it is a model's folder in the
// Hugging Face cache, the snapshot named by refs/main, or the only one:
//
//   models--some-vendor--Some-Model/refs/main               9f30c71f441d...
//   models--some-vendor--Some-Model/snapshots/9f30c71f441d.../config.json
//
// Does not check that config.json exists.
Result<std::filesystem::path> FindModelDirectory(const std::filesystem::path& path);

// model.safetensors.index.json: maps the tensors of a model to files.
//
//   {"metadata": {"total_size": 24},
//    "weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}

inline constexpr std::string_view kWeightIndexName = "model.safetensors.index.json";

// Tensor -> name of a file next to the index.
using WeightMap = std::map<std::string, std::string>;

// Ignores total_size, which is often wrong. The result is not empty.
Result<WeightMap> ParseWeightIndex(std::string_view json, std::string_view origin);

// `total_bytes`: of all tensors, without headers. The names must be UTF-8.
std::string ToWeightIndexJson(const WeightMap& weight_map, int64_t total_bytes);

}  // namespace ridgeline::checkpoints
