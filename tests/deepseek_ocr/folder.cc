#include "tests/deepseek_ocr/folder.h"

#include <fstream>

namespace ridgeline::ocr_cases {

namespace fs = std::filesystem;

Checkpoints FindCheckpoints(const fs::path& folder) {
  Checkpoints found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!fs::exists(entry.path() / "config.json") || name == "official") continue;
    if (name.ends_with("-bf16")) {
      found.bf16 = entry.path();
    } else if (name.ends_with("-sharded")) {
      found.sharded = entry.path();
    } else {
      found.plain = entry.path();
    }
  }
  return found;
}

Result<Model> Model::Load(const fs::path& checkpoint) {
  RIDGELINE_TRY(networks::deepseek_ocr::Network network,
                networks::deepseek_ocr::Network::Load(checkpoint, {}));
  RIDGELINE_TRY(tokenizers::Tokenizer tokenizer,
                tokenizers::Tokenizer::Load(checkpoint / "tokenizer.json"));
  const int64_t image_id = tokenizer.IdOf("<image>").value_or(-1);
  return Model{std::move(network), std::move(tokenizer), image_id};
}

std::optional<Json> ReadJson(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return Json::parse(file);
}

Result<Tensors> Tensors::Open(const fs::path& path) {
  RIDGELINE_TRY(checkpoints::SafetensorsFile file,
                checkpoints::SafetensorsFile::Open(path));
  return Tensors(std::move(file));
}

at::Tensor Tensors::Get(const std::string& name) const {
  const checkpoints::TensorView* view = file_.Find(name);
  if (view == nullptr) return {};
  at::ScalarType type = at::kFloat;
  if (view->dtype == checkpoints::DType::kI32) type = at::kInt;
  if (view->dtype == checkpoints::DType::kU8) type = at::kByte;
  void* data = const_cast<std::byte*>(view->bytes.data());
  return at::from_blob(data, view->shape, at::TensorOptions().dtype(type)).clone();
}

std::vector<std::string> Tensors::names() const {
  std::vector<std::string> names;
  for (const checkpoints::TensorView& view : file_.tensors()) names.push_back(view.name);
  return names;
}

}  // namespace ridgeline::ocr_cases
