#include "os/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "os/system_error.h"

namespace ridgeline::os {

Result<AppendFile> AppendFile::Open(const std::filesystem::path& path,
                                    int64_t keep_bytes) {
  FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kBeforeUmask));
  if (!file.ok()) return SystemError(path, errno);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return SystemError(path, errno);
  if (status.st_size < keep_bytes) {
    return Error(ErrorCode::kIo, path.string() + ": " + std::to_string(status.st_size) +
                                     " bytes, expected at least " +
                                     std::to_string(keep_bytes));
  }
  if (::ftruncate(file.get(), keep_bytes) != 0) return SystemError(path, errno);
  return AppendFile(path, std::move(file), keep_bytes);
}

Status AppendFile::Append(std::string_view record) {
  std::string_view rest = record;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error_number = errno;
      // If even that fails, the next Open() truncates the file.
      static_cast<void>(::ftruncate(file_.get(), size_));
      return SystemError(path_, error_number);
    }
    rest.remove_prefix(static_cast<size_t>(count));
  }
  size_ += static_cast<int64_t>(record.size());
  return Ok();
}

Status AppendFile::Sync() const {
  if (::fdatasync(file_.get()) != 0) return SystemError(path_, errno);
  return Ok();
}

}  // namespace ridgeline::os
