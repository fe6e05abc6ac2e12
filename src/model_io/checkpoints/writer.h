// Writes weights of any size in Hugging Face's layout, in chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model_io/checkpoints/dtype.h"

namespace ridgeline::checkpoints {

struct TensorSpec {
  std::string name;  // UTF-8.
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
};

// Fills `chunk` with the bytes of a tensor from `offset_bytes` on. Called for the chunks
// of a tensor in order, and for the tensors in file order; offsets are multiples of the
// dtype's size. An error aborts writing.
using FillTensor = std::function<Status(const TensorSpec& tensor, int64_t offset_bytes,
                                        std::span<std::byte> chunk)>;

// File order: larger dtypes first, so that each tensor is aligned to its dtype's size,
// then by name.
std::vector<TensorSpec> InFileOrder(std::vector<TensorSpec> tensors);

// Everything before the data: the length and the header of `tensors`, in the given order.
// Fails if a name is duplicate or not UTF-8, or if a tensor or the header is too large.
Result<std::string> SafetensorsHeader(std::span<const TensorSpec> tensors);

// Replaces `path` atomically (os/atomic_file.h), in the order of InFileOrder().
Status WriteSafetensors(const std::filesystem::path& path,
                        std::vector<TensorSpec> tensors, const FillTensor& fill);

struct WeightsLayout {
  // Maximum data per file, which a single tensor may exceed; nullopt: all in one file.
  std::optional<int64_t> file_bytes_max;
};

// Writes model-00001-of-000001.safetensors (or as many as the layout needs) and then
// model.safetensors.index.json to `directory`, which must exist: without the index,
// readers treat the weights as incomplete. Never replaces a file. Needs memory for one
// chunk of a few MB.
Status WriteWeights(const std::filesystem::path& directory,
                    std::vector<TensorSpec> tensors, const WeightsLayout& layout,
                    const FillTensor& fill);

// Fails if `path` exists.
Status CheckAbsent(const std::filesystem::path& path);

}  // namespace ridgeline::checkpoints
