#include <unistd.h>

#include <system_error>

#include "hardware/machine.h"

namespace ridgeline::hardware {

Disk LookAtDisk(const std::filesystem::path& directory) {
  Disk disk = {.wanted = directory, .existing = directory};
  std::error_code error;
  while (!std::filesystem::exists(disk.existing, error) &&
         disk.existing.has_relative_path()) {
    disk.existing = disk.existing.parent_path();
  }
  disk.is_writable = std::filesystem::is_directory(disk.existing, error) &&
                     ::access(disk.existing.c_str(), W_OK | X_OK) == 0;
  const std::filesystem::space_info space = std::filesystem::space(disk.existing, error);
  if (!error) disk.free_bytes = static_cast<int64_t>(space.available);
  return disk;
}

}  // namespace ridgeline::hardware
