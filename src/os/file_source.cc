#include "os/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "os/system_error.h"

namespace ridgeline::os {

FileSource::FileSource(std::filesystem::path path, FileDescriptor file)
    : path_(std::move(path)), file_(std::move(file)) {}

Result<FileSource> FileSource::Open(const std::filesystem::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return SystemError(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return SystemError(path, errno);
  if (S_ISDIR(info.st_mode)) return SystemError(path, EISDIR);
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);  // A hint; fails on pipes.
  return FileSource(path, std::move(file));
}

Result<size_t> FileSource::Read(std::span<char> into) {
  while (true) {
    const ssize_t count = ::read(file_.get(), into.data(), into.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return SystemError(path_, errno);
  }
}

}  // namespace ridgeline::os
