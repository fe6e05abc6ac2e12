// A .safetensors file: the tensors of a model, one behind the other.
//
//   8 bytes   length N of the header, little-endian
//   N bytes   {"__metadata__": {"format": "pt"},
//              "lm_head.weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0,
//              24]}}
//             and spaces, so that what follows begins at a multiple of 8
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

// The length of the header, in front of it.
inline constexpr size_t kLengthBytes = sizeof(uint64_t);

// The limit of the format's own library.
inline constexpr int64_t kHeaderBytesMax = 100'000'000;

struct TensorView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  // In the file's memory; as many as dtype and shape need. Files that others wrote need
  // not begin a tensor at a multiple of its dtype's size.
  std::span<const std::byte> bytes;
};

struct Safetensors {
  std::vector<TensorView> tensors;  // By name; no name twice.
  std::map<std::string, std::string> metadata;
};

// The views are into `file`, the whole file. An error names `origin` and the tensor.
// What the format's own library refuses is refused here too: every byte of the data
// belongs to exactly one tensor.
Result<Safetensors> ParseSafetensors(std::span<const std::byte> file,
                                     std::string_view origin);

// The same with the file's memory, which the views need.
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

// In tensors that are sorted by name.
const TensorView* FindTensor(std::span<const TensorView> tensors, std::string_view name);

}  // namespace ridgeline::checkpoints
