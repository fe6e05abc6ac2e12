#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// Ensures that only one process works in a directory. Writes nothing there; the lock is
// released when the process exits for any reason.
class DirectoryLock {
 public:
  // Empty: another process holds it. On file systems without locks, such as some network
  // file systems, it always succeeds.
  static Result<std::optional<DirectoryLock>> Try(const std::filesystem::path& directory);

  // Whether some process holds it. kUnsupported: the file system has no locks.
  static Result<bool> IsHeld(const std::filesystem::path& directory);

 private:
  explicit DirectoryLock(FileDescriptor directory) : directory_(std::move(directory)) {}

  FileDescriptor directory_;
};

}  // namespace ridgeline::os
