#include <sys/stat.h>

#include <cerrno>

#include "os/files.h"
#include "os/system_error.h"

namespace ridgeline::os {

Result<FileStamp> StampOf(const std::filesystem::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return SystemError(path, errno);
  // ctim, not mtim: unlike mtime, it cannot be set back.
  return FileStamp{
      .device = info.st_dev,
      .inode = info.st_ino,
      .bytes = info.st_size,
      .changed_ns = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec};
}

}  // namespace ridgeline::os
