#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// A regular file that is read from anywhere. Unlike a mapped one it may shrink meanwhile:
// what is gone is then not read, and nothing worse happens. Errors as in os/files.h.
class RandomFile {
 public:
  // `path` itself may not be a symbolic link.
  static Result<RandomFile> Open(const std::filesystem::path& path);

  int64_t size() const { return size_; }  // When it was opened.

  // Fills the beginning of `into`; how much of it was filled, 0 behind the end.
  Result<size_t> Read(int64_t offset, std::span<char> into) const;

 private:
  RandomFile(std::filesystem::path path, FileDescriptor file, int64_t size);

  std::filesystem::path path_;
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace ridgeline::os
