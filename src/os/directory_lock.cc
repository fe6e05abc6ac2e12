#include "os/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <ctime>

#include "os/system_error.h"

namespace ridgeline::os {

Result<std::optional<DirectoryLock>> DirectoryLock::Try(
    const std::filesystem::path& directory) {
  FileDescriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return SystemError(directory, errno);
  // IsHeld() in another process holds the lock for a few microseconds.
  constexpr int kAttempts = 20;
  constexpr timespec kPause = {.tv_sec = 0, .tv_nsec = 5'000'000};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
      return std::optional<DirectoryLock>(DirectoryLock(std::move(opened)));
    }
    ::nanosleep(&kPause, nullptr);
  }
  return std::optional<DirectoryLock>();
}

Result<bool> DirectoryLock::IsHeld(const std::filesystem::path& directory) {
  const FileDescriptor opened(
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok()) return SystemError(directory, errno);
  // Shared, so that several processes can check at once.
  if (::flock(opened.get(), LOCK_SH | LOCK_NB) == 0) return false;
  if (errno == EWOULDBLOCK) return true;
  return Error(ErrorCode::kUnsupported, directory.string() + ": no file locks");
}

}  // namespace ridgeline::os
