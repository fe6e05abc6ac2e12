#include "models/deepseek_ocr/create.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "model_io/checkpoints/random_weights.h"
#include "model_io/checkpoints/writer.h"
#include "model_io/tokenizers/byte_alphabet.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/tensor_list.h"
#include "os/files.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using Json = nlohmann::ordered_json;

// The ids of the first three are fixed by the model; the others only need to exist.
constexpr const char* kFirstTokens[] = {"<｜begin▁of▁sentence｜>",
                                        "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"};
constexpr const char* kMoreTokens[] = {
    "<image>", "<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>", "<|grounding|>",
    "<td>",    "</td>",   "<tr>",     "</tr>",   "<|User|>", "<|Assistant|>"};

// Preserves the scale of activations through a layer: the wider, the smaller.
float StandardDeviation(const std::vector<int64_t>& shape) {
  int64_t inputs = 1;
  for (size_t i = 1; i < shape.size(); ++i) inputs *= shape[i];
  return static_cast<float>(1 / std::sqrt(static_cast<double>(inputs)));
}

Status Fill(const checkpoints::TensorSpec& tensor, uint64_t seed, int64_t offset_bytes,
            std::span<std::byte> chunk) {
  const bool is_norm = tensor.name.find("norm") != std::string::npos ||
                       tensor.name.find("neck.1.") != std::string::npos ||
                       tensor.name.find("neck.3.") != std::string::npos;
  if (is_norm && tensor.name.ends_with("weight")) {
    return checkpoints::FillConstant(1, tensor.dtype, chunk);
  }
  if (tensor.name.ends_with("bias")) {
    return checkpoints::FillConstant(0, tensor.dtype, chunk);
  }
  return checkpoints::FillRandom(
      {.key = checkpoints::RandomKey(seed, tensor.name),
       .standard_deviation =
           tensor.shape.size() < 2 ? 1.0F : StandardDeviation(tensor.shape),
       .dtype = tensor.dtype},
      offset_bytes, chunk);
}

Json AddedToken(int id, const char* content) {
  return {{"id", id},        {"content", content}, {"single_word", false},
          {"lstrip", false}, {"rstrip", false},    {"normalized", false},
          {"special", true}};
}

}  // namespace

std::string ByteTokenizerJson() {
  Json added = Json::array();
  Json vocabulary = Json::object();
  int id = 0;
  for (const char* token : kFirstTokens) added.push_back(AddedToken(id++, token));
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[std::string(tokenizers::SpellingOfByte(static_cast<uint8_t>(byte)))] =
        id++;
  }
  for (const char* token : kMoreTokens) added.push_back(AddedToken(id++, token));
  const Json byte_level = {{"type", "ByteLevel"},
                           {"add_prefix_space", false},
                           {"trim_offsets", true},
                           {"use_regex", false}};
  const Json json = {{"version", "1.0"},
                     {"truncation", nullptr},
                     {"padding", nullptr},
                     {"added_tokens", std::move(added)},
                     {"normalizer", nullptr},
                     {"pre_tokenizer", byte_level},
                     {"post_processor", nullptr},
                     {"decoder", byte_level},
                     {"model",
                      {{"type", "BPE"},
                       {"dropout", nullptr},
                       {"unk_token", nullptr},
                       {"continuing_subword_prefix", nullptr},
                       {"end_of_word_suffix", nullptr},
                       {"fuse_unk", false},
                       {"byte_fallback", false},
                       {"vocab", std::move(vocabulary)},
                       {"merges", Json::array()}}}};
  return DumpJson(json, 1) + "\n";
}

Status CreateCheckpoint(const std::filesystem::path& directory,
                        const CreateOptions& options) {
  for (const char* const name : {"config.json", "tokenizer.json"}) {
    RIDGELINE_RETURN_IF_ERROR(checkpoints::CheckAbsent(directory / name));
  }
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory));
  std::vector<checkpoints::TensorSpec> tensors;
  for (checkpoints::ExpectedTensor& tensor : TensorList(options.dimensions)) {
    tensors.push_back({std::move(tensor.name), options.dtype, std::move(tensor.shape)});
  }
  RIDGELINE_RETURN_IF_ERROR(checkpoints::WriteWeights(
      directory, std::move(tensors), {},
      [&options](const checkpoints::TensorSpec& tensor, int64_t offset_bytes,
                 std::span<std::byte> chunk) {
        return Fill(tensor, options.seed, offset_bytes, chunk);
      }));
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(directory / "tokenizer.json", ByteTokenizerJson()));
  // Written last: if it exists, the checkpoint is complete.
  return os::WriteFileAtomically(directory / "config.json",
                                 ConfigJson(options.dimensions));
}

}  // namespace ridgeline::models::deepseek_ocr
