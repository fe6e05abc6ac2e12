#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// One process at a time works in a directory. Nothing is written there, and the lock ends
// with the process, in whatever way that ends.
class DirectoryLock {
 public:
  // Nothing: another process has it. File systems without locks, such as some that lie
  // in a network, give it to everyone.
  static Result<std::optional<DirectoryLock>> Try(const std::filesystem::path& directory);

  // Whether some process has it. kUnsupported: the file system has no locks.
  static Result<bool> IsHeld(const std::filesystem::path& directory);

 private:
  explicit DirectoryLock(FileDescriptor directory) : directory_(std::move(directory)) {}

  FileDescriptor directory_;
};

}  // namespace ridgeline::os
