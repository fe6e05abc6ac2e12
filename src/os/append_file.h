#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// An append-only file of whole records. Appended records survive if this process is
// killed; the last one may be incomplete, so reopening takes the number of bytes known to
// be complete. Errors as in os/files.h.
class AppendFile {
 public:
  // Creates the file if it does not exist and truncates it to its first `keep_bytes`; an
  // error if it is shorter. Its directory must exist.
  static Result<AppendFile> Open(const std::filesystem::path& path, int64_t keep_bytes);

  int64_t size() const { return size_; }

  // All or nothing: on an error, such as a full disk, none of the record is written.
  Status Append(std::string_view record);

  // Appended records survive a power failure after this.
  Status Sync() const;

 private:
  AppendFile(std::filesystem::path path, FileDescriptor file, int64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::filesystem::path path_;
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace ridgeline::os
