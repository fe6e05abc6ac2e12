// A .safetensors file: the tensors of a model, one after the other.
//
//   8 bytes   length N of the header, little-endian
//   N bytes   {"__metadata__": {"format": "pt"},
//              "lm_head.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0,
//              24]}}
//             padded with spaces to a multiple of 8
//   the rest  the numbers, little-endian; data_offsets count from here
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model_io/checkpoints/dtype.h"
#include "os/mapped_file.h"

namespace ridgeline::checkpoints {

// The length field before the header.
inline constexpr size_t kLengthBytes = sizeof(uint64_t);

// Limit of the format's own library.
inline constexpr int64_t kHeaderBytesMax = 100'000'000;

struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  // In the memory of the file; size matches dtype and shape. Files written by others may
  // not be aligned to the size of the dtype.
  std::span<const std::byte> bytes;
};

struct Safetensors {
  std::vector<TensorView> tensors;  // Sorted by name, without duplicates.
  std::map<std::string, std::string> metadata;
};

// The views point into `file`, the whole file. Errors name `origin` and the tensor.
// Rejects what the format's own library rejects: every byte of the data must belong to
// exactly one tensor.
Result<Safetensors> ParseSafetensors(std::span<const std::byte> file,
                                     std::string_view origin);

// The same with the memory of the file, which the views need.
class SafetensorsFile {
 public:
  static Result<SafetensorsFile> Open(const std::filesystem::path& path);

  std::span<const TensorView> tensors() const { return content_.tensors; }
  const TensorView* Find(std::string_view name) const;  // Null if there is none.
  const std::map<std::string, std::string>& metadata() const { return content_.metadata; }
  int64_t size_bytes() const { return static_cast<int64_t>(file_.bytes().size()); }
  const os::MappedFile& memory() const { return file_; }

 private:
  SafetensorsFile(os::MappedFile file, Safetensors content)
      : file_(std::move(file)), content_(std::move(content)) {}

  os::MappedFile file_;
  Safetensors content_;
};

// `tensors` must be sorted by name.
const TensorView* FindTensor(std::span<const TensorView> tensors, std::string_view name);

}  // namespace ridgeline::checkpoints
