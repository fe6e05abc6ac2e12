#include "os/random_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/system_error.h"

namespace ridgeline::os {

RandomFile::RandomFile(std::filesystem::path path, FileDescriptor file, int64_t size)
    : path_(std::move(path)), file_(std::move(file)), size_(size) {}

Result<RandomFile> RandomFile::Open(const std::filesystem::path& path) {
  // Otherwise opening a pipe would wait for a writer.
  FileDescriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.ok()) return SystemError(path, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return SystemError(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return Error(ErrorCode::kIo, path.string() + ": not a regular file");
  }
  return RandomFile(path, std::move(file), status.st_size);
}

Result<size_t> RandomFile::Read(int64_t offset, std::span<char> into) const {
  size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t count =
        ::pread(file_.get(), into.data() + filled, into.size() - filled,
                static_cast<off_t>(offset) + static_cast<off_t>(filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path_, errno);
    if (count == 0) break;
    filled += static_cast<size_t>(count);
  }
  return filled;
}

}  // namespace ridgeline::os
