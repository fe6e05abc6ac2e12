#include "os/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

Error SystemError(const fs::path& path, int error_number) {
  const bool absent = error_number == ENOENT || error_number == ENOTDIR;
  return {absent ? ErrorCode::kNotFound : ErrorCode::kIo,
          path.string() + ": " + std::strerror(error_number)};
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::optional<struct stat> Stat(const fs::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return info;
}

Status WriteAll(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, errno);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return Ok();
}

// Creates `temporary` with the bytes and brings them to the disk.
Status WriteTemporary(const fs::path& temporary, std::string_view bytes) {
  constexpr mode_t kBeforeUmask = 0666;
  const FileDescriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kBeforeUmask));
  if (!file.ok()) return SystemError(temporary, errno);
  RIDGELINE_RETURN_IF_ERROR(WriteAll(file.get(), bytes, temporary));
  if (::fsync(file.get()) != 0) return SystemError(temporary, errno);
  return Ok();
}

// The rename itself survives a crash only once its directory is on the disk.
// Some file systems cannot do that for a directory; then we have done our best.
void SyncDirectory(const fs::path& directory) {
  const FileDescriptor opened(
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.ok()) ::fsync(opened.get());
}

// ".report.md.1234-0": in the same directory, as rename needs, and no other
// process's or thread's.
fs::path TemporaryName(const fs::path& path) {
  static std::atomic<unsigned> next = 0;
  return path.parent_path() / ("." + path.filename().string() + "." +
                               std::to_string(::getpid()) + "-" + std::to_string(next++));
}

FileKind KindOfMode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  return FileKind::kOther;
}

FileKind KindOf(const fs::path& directory, const dirent& entry) {
  if (entry.d_type == DT_REG) return FileKind::kRegular;
  if (entry.d_type == DT_DIR) return FileKind::kDirectory;
  // A link, or a file system that does not tell.
  const std::optional<struct stat> info = Stat(directory / entry.d_name);
  return info ? KindOfMode(info->st_mode) : FileKind::kOther;
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return SystemError(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return SystemError(path, errno);

  // The size is a hint: it is 0 in /proc, and the file may grow meanwhile. One
  // byte more lets the second read find the end without growing the buffer.
  constexpr size_t kSmallestStep = 4096;
  std::string bytes(std::max(static_cast<size_t>(info.st_size) + 1, kSmallestStep), '\0');
  size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t count = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, errno);
    if (count == 0) break;
    used += static_cast<size_t>(count);
  }
  bytes.resize(used);
  return bytes;
}

Status WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  const fs::path temporary = TemporaryName(path);
  Status written = WriteTemporary(temporary, bytes);
  if (written.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = SystemError(path, errno);
  }
  if (!written.ok()) {
    ::unlink(temporary.c_str());
    return written;
  }
  SyncDirectory(path.has_parent_path() ? path.parent_path() : fs::path("."));
  return Ok();
}

Result<std::vector<DirectoryEntry>> ListDirectory(const fs::path& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()),
                                                      ::closedir);
  if (directory == nullptr) return SystemError(path, errno);

  std::vector<DirectoryEntry> entries;
  while (true) {
    errno = 0;  // The only way to tell the end from an error.
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({.name = std::string(name), .kind = KindOf(path, *entry)});
  }
  if (errno != 0) return SystemError(path, errno);
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

bool IsDirectory(const fs::path& path) {
  const std::optional<struct stat> info = Stat(path);
  return info && S_ISDIR(info->st_mode);
}

bool IsRegularFile(const fs::path& path) {
  const std::optional<struct stat> info = Stat(path);
  return info && S_ISREG(info->st_mode);
}

Result<fs::path> RealPath(const fs::path& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr),
                                                        std::free);
  if (resolved == nullptr) return SystemError(path, errno);
  return fs::path(resolved.get());
}

}  // namespace ridgeline::os
