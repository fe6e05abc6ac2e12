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
#include <system_error>
#include <utility>

#include "base/printable.h"
#include "os/file_descriptor.h"
#include "os/system_error.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

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

// The rename survives a crash once its directory is synced. Some file systems cannot sync
// a directory; then this is best effort.
void SyncParent(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor opened(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.ok()) ::fsync(opened.get());
}

// A file that is removed unless it is renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::move(other.path_)) {
    other.path_.clear();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }
  void Keep() { path_.clear(); }

 private:
  fs::path path_;
};

// ".report.md.1234-0": in the same directory, as required by rename.
fs::path TemporaryName(const fs::path& path) {
  static std::atomic<unsigned> next = 0;
  return path.parent_path() / ("." + path.filename().string() + "." +
                               std::to_string(::getpid()) + "-" + std::to_string(next++));
}

// A killed process, or one in another container, may have had the same PID and left a
// file with the same name.
constexpr int kNameAttempts = 1000;

// Whether the data is synced before a file is given its name.
enum class Durability { kSurvivesKill, kSurvivesPowerFailure };

struct NewFile {
  std::string_view bytes;
  mode_t mode = kBeforeUmask;
  Durability durability = Durability::kSurvivesPowerFailure;
};

Status WriteInto(const FileDescriptor& file, const NewFile& content,
                 const fs::path& path) {
  RIDGELINE_RETURN_IF_ERROR(WriteAll(file.get(), content.bytes, path));
  if (content.durability == Durability::kSurvivesKill) return Ok();
  if (::fsync(file.get()) != 0) return SystemError(path, errno);
  return Ok();
}

// The file is unnamed until it is complete, so that even a kill leaves no partial file.
// Empty if the file system does not support that.
Result<std::optional<TemporaryFile>> WriteUnnamed(const fs::path& path,
                                                  const NewFile& content) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor file(
      ::open(parent.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, content.mode));
  if (!file.ok()) return std::optional<TemporaryFile>();
  RIDGELINE_RETURN_IF_ERROR(WriteInto(file, content, path));
  const std::string unnamed = "/proc/self/fd/" + std::to_string(file.get());
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const fs::path name = TemporaryName(path);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
        0) {
      return std::optional<TemporaryFile>(TemporaryFile(name));
    }
    if (errno != EEXIST) break;
  }
  return std::optional<TemporaryFile>();
}

// Writes a new file next to `path`. Errors name `path`, which the caller knows.
Result<TemporaryFile> WriteTemporary(const fs::path& path, const NewFile& content) {
  RIDGELINE_TRY(std::optional<TemporaryFile> whole, WriteUnnamed(path, content));
  if (whole) return std::move(*whole);
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const fs::path name = TemporaryName(path);
    const FileDescriptor file(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, content.mode));
    if (!file.ok() && errno == EEXIST) continue;
    if (!file.ok()) return SystemError(path, errno);
    TemporaryFile temporary(name);
    RIDGELINE_RETURN_IF_ERROR(WriteInto(file, content, path));
    return temporary;
  }
  return SystemError(path, EEXIST);
}

Status ReplaceFile(const fs::path& path, const NewFile& content) {
  RIDGELINE_TRY(TemporaryFile temporary, WriteTemporary(path, content));
  if (::rename(temporary.path().c_str(), path.c_str()) != 0) {
    return SystemError(path, errno);
  }
  temporary.Keep();
  return Ok();
}

// Errors of `link` and of renames with flags on file systems without support.
bool IsNotOffered(int error_number) {
  return error_number == EPERM || error_number == ENOSYS || error_number == EOPNOTSUPP ||
         error_number == EINVAL || error_number == EMLINK;
}

int RenameWithoutReplacing(const fs::path& from, const fs::path& to) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
}

// Last resort: creating the target is exclusive, so replacing it need not be. Like a
// system call: 0, or -1 and errno.
int TakePlaceAndReplace(const fs::path& from, const fs::path& to) {
  const FileDescriptor place(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kBeforeUmask));
  if (!place.ok()) return -1;
  if (::rename(from.c_str(), to.c_str()) == 0) return 0;
  const int reason = errno;
  ::unlink(to.c_str());
  errno = reason;
  return -1;
}

FileKind KindOfMode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  return FileKind::kOther;
}

FileKind KindOf(const fs::path& directory, const dirent& entry) {
  if (entry.d_type == DT_REG) return FileKind::kRegular;
  if (entry.d_type == DT_DIR) return FileKind::kDirectory;
  // A symbolic link, or a file system that does not report the type.
  const std::optional<struct stat> info = Stat(directory / entry.d_name);
  return info ? KindOfMode(info->st_mode) : FileKind::kOther;
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return SystemError(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return SystemError(path, errno);

  // The size is a hint: it is 0 in /proc, and the file may grow meanwhile. One extra byte
  // lets the second read detect the end without growing the buffer.
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

Status ForEachBlock(const fs::path& path,
                    const std::function<void(std::string_view block)>& on_block) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return SystemError(path, errno);
  std::string block(size_t{1} << 20, '\0');
  while (true) {
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, errno);
    if (count == 0) return Ok();
    on_block(std::string_view(block).substr(0, static_cast<size_t>(count)));
  }
}

Status WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  RIDGELINE_RETURN_IF_ERROR(ReplaceFile(path, {.bytes = bytes}));
  SyncParent(path);
  return Ok();
}

Status ReplaceFileUnsynced(const fs::path& path, std::string_view bytes) {
  return ReplaceFile(path, {.bytes = bytes, .durability = Durability::kSurvivesKill});
}

Status WriteFile(const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kBeforeUmask));
  if (!file.ok()) return SystemError(path, errno);
  return WriteAll(file.get(), bytes, path);
}

Status WriteText(const fs::path& path, std::string_view text) {
  return ReplaceFile(path, {.bytes = Printable(text)});
}

Status WritePrivateFile(const fs::path& path, std::string_view bytes) {
  constexpr mode_t kOwnerOnly = 0600;
  RIDGELINE_RETURN_IF_ERROR(ReplaceFile(path, {.bytes = bytes, .mode = kOwnerOnly}));
  SyncParent(path);
  return Ok();
}

Result<bool> WriteFileExclusively(const fs::path& path, std::string_view bytes) {
  if (Exists(path)) return false;  // Avoids writing it.
  RIDGELINE_TRY(TemporaryFile temporary, WriteTemporary(path, {.bytes = bytes}));
  // A link leaves two names, and the temporary one is removed; a rename leaves only the
  // final name.
  int failed = ::linkat(AT_FDCWD, temporary.path().c_str(), AT_FDCWD, path.c_str(), 0);
  if (failed != 0 && IsNotOffered(errno)) {
    failed = RenameWithoutReplacing(temporary.path(), path);
  }
  if (failed != 0 && IsNotOffered(errno)) {
    failed = TakePlaceAndReplace(temporary.path(), path);
  }
  if (failed != 0 && errno == EEXIST) return false;
  if (failed != 0) return SystemError(path, errno);
  SyncParent(path);
  return true;
}

Result<std::vector<DirectoryEntry>> ListDirectory(const fs::path& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()),
                                                      ::closedir);
  if (directory == nullptr) return SystemError(path, errno);

  std::vector<DirectoryEntry> entries;
  while (true) {
    errno = 0;  // The only way to distinguish the end from an error.
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

Status CreatePrivateDirectory(const fs::path& path) {
  constexpr mode_t kOwnerOnly = 0700;
  RIDGELINE_RETURN_IF_ERROR(CreateDirectories(path.parent_path()));
  if (::mkdir(path.c_str(), kOwnerOnly) == 0) return Ok();
  return CreateDirectories(path);  // It exists by now, or this reports why it cannot.
}

Status CreateDirectories(const fs::path& path) {
  constexpr mode_t kDirectoryBeforeUmask = 0777;
  fs::path made;
  for (const fs::path& part : path) {
    made /= part;
    if (IsDirectory(made)) continue;
    if (::mkdir(made.c_str(), kDirectoryBeforeUmask) == 0) continue;
    const int reason = errno;
    if (IsDirectory(made)) continue;  // Created concurrently.
    if (reason != EEXIST) return SystemError(made, reason);
    return Error(ErrorCode::kIo, made.string() + ": " + std::strerror(ENOTDIR));
  }
  return Ok();
}

Status RenameDirectory(const fs::path& from, const fs::path& to) {
  if (!IsDirectory(from)) return SystemError(from, Exists(from) ? ENOTDIR : ENOENT);
  int failed = RenameWithoutReplacing(from, to);
  if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) {
    // A file system without that flag. A plain rename replaces an empty directory.
    if (Exists(to)) return SystemError(to, EEXIST);
    failed = ::rename(from.c_str(), to.c_str());
  }
  if (failed != 0) return SystemError(to, errno);
  SyncParent(from);
  SyncParent(to);
  return Ok();
}

Status MoveFile(const fs::path& from, const fs::path& to) {
  if (RenameWithoutReplacing(from, to) == 0) {
    SyncParent(to);
    return Ok();
  }
  const int failed = errno;
  const bool may_copy = failed == EXDEV || failed == EINVAL || failed == ENOSYS;
  if (!may_copy) return SystemError(failed == EEXIST ? to : from, failed);
  std::error_code reason;
  fs::copy_file(from, to, fs::copy_options::none, reason);
  if (reason) return SystemError(to, reason.value());
  return RemoveAll(from);
}

Status RemoveAll(const fs::path& path) {
  if (!Exists(path)) return Ok();
  std::error_code reason;
  fs::remove_all(path, reason);
  if (reason) return SystemError(path, reason.value());
  return Ok();
}

Status RemoveEmptyDirectory(const fs::path& path) {
  if (::rmdir(path.c_str()) != 0) return SystemError(path, errno);
  return Ok();
}

void RemoveEmptyDirectories(const fs::path& path) {
  const Result<std::vector<DirectoryEntry>> entries = ListDirectory(path);
  if (!entries.ok()) return;
  for (const DirectoryEntry& entry : entries.value()) {
    if (entry.kind == FileKind::kDirectory) RemoveEmptyDirectories(path / entry.name);
  }
  ::rmdir(path.c_str());  // Fails, as intended, if it is not empty.
}

Status ChangeDirectory(const fs::path& path) {
  if (::chdir(path.c_str()) != 0) return SystemError(path, errno);
  return Ok();
}

Result<int64_t> FileSize(const fs::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return SystemError(path, errno);
  if (S_ISDIR(info.st_mode)) return SystemError(path, EISDIR);
  return static_cast<int64_t>(info.st_size);
}

bool Exists(const fs::path& path) {
  struct stat info = {};
  return ::lstat(path.c_str(), &info) == 0;
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
