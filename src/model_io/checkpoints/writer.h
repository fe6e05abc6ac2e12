// Writes weights of any size as Hugging Face lays them out, in pieces.
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

// Makes the bytes of a tensor from `offset_bytes` on, as many as `chunk` has. Called with
// the chunks of a tensor from begin to end, one tensor after the other in the order of
// the file; offsets are multiples of the dtype's size. An error ends the writing.
using FillTensor = std::function<Status(const TensorSpec& tensor, int64_t offset_bytes,
                                        std::span<std::byte> chunk)>;

// In the order of the file: dtypes of large numbers first, so that each tensor begins at
// a multiple of its dtype's size, then by name.
std::vector<TensorSpec> InFileOrder(std::vector<TensorSpec> tensors);

// What stands before the data: the length and the header of `tensors`, in the order
// given. An error if a name stands twice or is not UTF-8, or a tensor or the header is
// too large.
Result<std::string> SafetensorsHeader(std::span<const TensorSpec> tensors);

// Replaces `path` as a whole (os/atomic_file.h), in the order of InFileOrder().
Status WriteSafetensors(const std::filesystem::path& path,
                        std::vector<TensorSpec> tensors, const FillTensor& fill);

struct WeightsLayout {
  // Data of one file, which one tensor alone may exceed; nothing: all in one file.
  std::optional<int64_t> file_bytes_max;
};

// Fills `directory`, which must exist, with model-00001-of-000001.safetensors (or as many
// as the layout needs) and then model.safetensors.index.json: without the index,
// readers treat the weights as incomplete. Never replaces a file. Needs memory for one
// chunk of a few MB.
Status WriteWeights(const std::filesystem::path& directory,
                    std::vector<TensorSpec> tensors, const WeightsLayout& layout,
                    const FillTensor& fill);

// An error if there is anything at `path`.
Status CheckAbsent(const std::filesystem::path& path);

}  // namespace ridgeline::checkpoints
