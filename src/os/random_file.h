#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// Random access to a regular file. Unlike a mapped file it may shrink meanwhile: reads
// are then merely short. Errors as in os/files.h.
class RandomFile {
 public:
  // `path` itself must not be a symbolic link.
  static Result<RandomFile> Open(const std::filesystem::path& path);

  int64_t size() const { return size_; }  // At the time of opening.

  // Fills the beginning of `into`; returns the number of bytes read, 0 past the end.
  Result<size_t> Read(int64_t offset, std::span<char> into) const;

 private:
  RandomFile(std::filesystem::path path, FileDescriptor file, int64_t size);

  std::filesystem::path path_;
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace ridgeline::os
