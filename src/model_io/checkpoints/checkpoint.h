// Checkpoint: a model as Hugging Face lays it out, opened for reading.
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
  std::filesystem::path path;  // In directory(); may be a link, as in the cache.
  int64_t size_bytes = 0;
};

// config.json and the weights: model.safetensors, or the files that
// model.safetensors.index.json names, or else the only .safetensors file that is there.
// Opening reads headers only; weights are read from the disk when they are touched.
// Moving it moves no tensor.
class Checkpoint {
 public:
  // A model's directory, or its folder in the cache (FindModelDirectory). An index that
  // names files or tensors that are not there is one error that names them all.
  static Result<Checkpoint> Open(const std::filesystem::path& path);

  // Where config.json and the tokenizer are.
  const std::filesystem::path& directory() const { return directory_; }

  // Read, not parsed.
  const std::filesystem::path& config_path() const { return config_path_; }
  const std::string& config_json() const { return config_json_; }

  // Sorted by name. With an index, only what it names.
  std::span<const TensorView> tensors() const { return tensors_; }
  const TensorView* Find(std::string_view name) const;  // Null if there is none.

  // What was opened: config.json, the index if there is one, the weights.
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

// One error for all that is missing, unexpected or of another shape: the counts, and the
// first 20 of each. `tensors` are sorted by name; no name is expected twice. Types of
// numbers are not compared, nor are tensors missing in an index.
Status CheckInventory(std::span<const TensorView> tensors,
                      std::span<const ExpectedTensor> expected, std::string_view origin);
Status CheckInventory(const Checkpoint& checkpoint,
                      std::span<const ExpectedTensor> expected);

// The directory with config.json that `path` stands for: itself, or, if it is a model's
// folder in the Hugging Face cache, the snapshot that refs/main names, or the only one:
//
//   models--some-vendor--Some-Model/refs/main               9f30c71f441d...
//   models--some-vendor--Some-Model/snapshots/9f30c71f441d.../config.json
//
// Whether config.json is really there is not looked at.
Result<std::filesystem::path> FindModelDirectory(const std::filesystem::path& path);

// model.safetensors.index.json: which file of a model holds which tensor.
//
//   {"metadata": {"total_size": 24},
//    "weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}

inline constexpr std::string_view kWeightIndexName = "model.safetensors.index.json";

// Tensor -> name of a file next to the index.
using WeightMap = std::map<std::string, std::string>;

// Takes no notice of total_size, which is often wrong. Not empty.
Result<WeightMap> ParseWeightIndex(std::string_view json, std::string_view origin);

// `total_bytes` of all tensors, headers not counted. The names must be UTF-8.
std::string ToWeightIndexJson(const WeightMap& weight_map, int64_t total_bytes);

}  // namespace ridgeline::checkpoints
