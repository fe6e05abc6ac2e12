#include "os/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "os/system_error.h"

namespace ridgeline::os {

Result<std::optional<DirectoryLock>> DirectoryLock::Try(
    const std::filesystem::path& directory) {
  FileDescriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return SystemError(directory, errno);
  if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return std::optional<DirectoryLock>();
  }
  return std::optional<DirectoryLock>(DirectoryLock(std::move(opened)));
}

}  // namespace ridgeline::os
