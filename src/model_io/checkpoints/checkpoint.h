// Checkpoint: a model as Hugging Face lays it out, opened for reading.
#pragma once

#include <cstdint>
#include <filesystem>
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
  // A model's directory, or its folder in the cache (model_directory.h). An index that
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

  // Tensors of the files that the index does not name, sorted; tensors() lacks them.
  std::span<const std::string> unnamed_tensors() const { return unnamed_tensors_; }

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
  std::vector<std::string> unnamed_tensors_;
  std::vector<CheckpointFile> files_;
};

}  // namespace ridgeline::checkpoints
