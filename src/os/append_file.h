#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// A file that grows by whole records. Appended records survive if this process is killed;
// the last one may be incomplete, and to continue the file is opened with the number of
// bytes that are known to be complete. Errors as in os/files.h.
class AppendFile {
 public:
  // Creates the file if there is none, and cuts it to its first `keep_bytes`; an error if
  // it has fewer. Its directory must exist.
  static Result<AppendFile> Open(const std::filesystem::path& path, int64_t keep_bytes);

  int64_t size() const { return size_; }

  // All of the record, or, on an error such as a full disk, nothing of it.
  Status Append(std::string_view record);

  // What was appended stays also when the machine stops.
  Status Sync() const;

 private:
  AppendFile(std::filesystem::path path, FileDescriptor file, int64_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::filesystem::path path_;
  FileDescriptor file_;
  int64_t size_ = 0;
};

}  // namespace ridgeline::os
