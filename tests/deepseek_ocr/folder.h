// A folder in the layout of the golden data: checkpoints, images/ and golden/, each file
// of which is looked at if it is there.
#pragma once

#include <ATen/ATen.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model_io/checkpoints/safetensors.h"
#include "model_io/tokenizers/tokenizer.h"
#include "models/deepseek_ocr/network/network.h"
#include "tests/deepseek_ocr/findings.h"

namespace ridgeline::ocr_cases {

// The checkpoints of the folder, told apart by the ends of their names: NAME, NAME-bf16,
// NAME-sharded. `official` has no weights.
struct Checkpoints {
  std::filesystem::path plain;
  std::filesystem::path bf16;     // Empty: there is none.
  std::filesystem::path sharded;  // Likewise.
};
Checkpoints FindCheckpoints(const std::filesystem::path& folder);

// A network with the tokenizer beside it.
struct Model {
  networks::deepseek_ocr::Network network;
  tokenizers::Tokenizer tokenizer;
  int64_t image_id = 0;

  static Result<Model> Load(const std::filesystem::path& checkpoint);
};

// Nothing: there is no such file.
std::optional<Json> ReadJson(const std::filesystem::path& path);

class Tensors {
 public:
  static Result<Tensors> Open(const std::filesystem::path& path);

  // A copy; undefined if there is none of that name.
  at::Tensor Get(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  explicit Tensors(checkpoints::SafetensorsFile file) : file_(std::move(file)) {}
  checkpoints::SafetensorsFile file_;
};

}  // namespace ridgeline::ocr_cases
