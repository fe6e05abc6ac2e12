// A file as a ByteSource. Errors as in os/files.h.
#pragma once

#include <filesystem>

#include "base/byte_source.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// Read, not mapped: only the current piece of a file larger than memory is resident. A
// pipe works; a directory is an error.
class FileSource final : public ByteSource {
 public:
  static Result<FileSource> Open(const std::filesystem::path& path);

  Result<size_t> Read(std::span<char> into) override;

 private:
  FileSource(std::filesystem::path path, FileDescriptor file);

  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace ridgeline::os
