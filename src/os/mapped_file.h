// MappedFile: a file's bytes as memory, read when they are touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/result.h"

namespace ridgeline::os {

// How the bytes will be used; a hint, never needed for correctness.
enum class MemoryAdvice {
  kNormal,
  kRandom,  // Here and there: do not read ahead.
};

// Read-only and private to this process. The bytes stay where they are when the object is
// moved, and go with it.
//
// The file must not shrink meanwhile: touching what is cut off kills the process. Files
// that are replaced by renaming, as ours are, keep their bytes.
class MappedFile {
 public:
  // Errors as in os/files.h. Anything but a regular file, such as a pipe, is an error; an
  // empty file is empty memory.
  static Result<MappedFile> Open(const std::filesystem::path& path,
                                 MemoryAdvice advice = MemoryAdvice::kNormal);

  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void Unmap();

  std::span<const std::byte> bytes_;
};

}  // namespace ridgeline::os
