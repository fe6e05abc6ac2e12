// A file's bytes as memory, loaded on access.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/result.h"

namespace ridgeline::os {

// Expected access pattern; only a hint, never needed for correctness.
enum class MemoryAdvice {
  kNormal,
  kRandom,  // Random access: no readahead.
};

// Read-only and private to this process. The address stays the same when the object is
// moved; the mapping ends with the object.
//
// The file must not shrink meanwhile: accessing a truncated part kills the process. Files
// that are replaced by renaming, as ours are, keep their contents.
class MappedFile {
 public:
  // Errors as in os/files.h. Anything but a regular file, such as a pipe, is an error; an
  // empty file gives an empty span.
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
