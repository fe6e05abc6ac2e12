#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// Another one as soon as a path leads to another file, or the file was written since.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t changed_ns = 0;  // By the clock of the file system.

  bool operator==(const FileStamp&) const = default;
};

Result<FileStamp> StampOf(const std::filesystem::path& path);

}  // namespace ridgeline::os
