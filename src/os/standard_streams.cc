#include "os/standard_streams.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

namespace ridgeline::os {

Status StandardStreams::Flush() {
  errno = 0;
  out.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && out.good() && std::ferror(stdout) == 0) return Ok();
  // Of an earlier write only the failure is left, not its reason.
  const std::string reason =
      errno == 0 ? "write failed (disk full?)" : std::strerror(errno);
  return Error(ErrorCode::kIo, "stdout: " + reason + "; the output is truncated");
}

std::optional<std::filesystem::path> InputFile() {
  struct stat status = {};
  if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/fd/0", error);
  // A file that was deleted, or replaced, since has no path.
  struct stat named = {};
  if (error || ::stat(path.c_str(), &named) != 0 || named.st_ino != status.st_ino) {
    return {};
  }
  return path;
}

}  // namespace ridgeline::os
