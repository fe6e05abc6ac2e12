#include "os/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "os/file_descriptor.h"
#include "os/system_error.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

// A killed process with the same PID may have left a file with the same name.
constexpr int kPartNameAttempts = 1000;

// Descriptors of this process as files: needed to give an unnamed file a name.
constexpr const char* kOwnDescriptors = "/proc/self/fd";

fs::path ParentOf(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// ".model.safetensors.1234-part0": in the same directory, as required by rename.
fs::path PartName(const fs::path& path) {
  static std::atomic<unsigned> next = 0;
  return ParentOf(path) / ("." + path.filename().string() + "." +
                           std::to_string(::getpid()) + "-part" + std::to_string(next++));
}

// An unnamed file disappears when the process is killed.
FileDescriptor OpenUnnamed(const fs::path& path) {
  if (::access(kOwnDescriptors, X_OK) != 0) return {};
  return FileDescriptor(
      ::open(ParentOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kBeforeUmask));
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, FileDescriptor file, fs::path temporary)
    : path_(std::move(path)), file_(std::move(file)), temporary_(std::move(temporary)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      temporary_(std::move(other.temporary_)) {
  other.temporary_.clear();
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::Create(const fs::path& path, int64_t expected_bytes) {
  fs::path temporary;
  FileDescriptor file = OpenUnnamed(path);
  for (int attempt = 0; !file.ok() && attempt < kPartNameAttempts; ++attempt) {
    temporary = PartName(path);
    file = FileDescriptor(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kBeforeUmask));
    if (!file.ok() && errno != EEXIST) return SystemError(path, errno);
  }
  if (!file.ok()) return SystemError(path, EEXIST);
  AtomicFile created(path, std::move(file), std::move(temporary));
  if (expected_bytes > 0 &&
      ::fallocate(created.file_.get(), FALLOC_FL_KEEP_SIZE, 0, expected_bytes) != 0) {
    // Any other error means that the file system does not support reservation.
    if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT) {
      return SystemError(path, errno);
    }
  }
  return created;
}

Status AtomicFile::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path_, errno);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return Ok();
}

Status AtomicFile::GiveName() {
  const std::string unnamed =
      std::string(kOwnDescriptors) + "/" + std::to_string(file_.get());
  for (int attempt = 0; attempt < kPartNameAttempts; ++attempt) {
    const fs::path name = PartName(path_);
    if (::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
        0) {
      temporary_ = name;
      return Ok();
    }
    if (errno != EEXIST) return SystemError(path_, errno);
  }
  return SystemError(path_, EEXIST);
}

Status AtomicFile::Commit() {
  if (::fsync(file_.get()) != 0) return SystemError(path_, errno);
  if (temporary_.empty()) RIDGELINE_RETURN_IF_ERROR(GiveName());
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return SystemError(path_, errno);
  temporary_.clear();
  file_.Close();
  // The rename survives a crash once its directory is synced. Some file systems cannot
  // sync a directory; then this is best effort.
  const FileDescriptor parent(
      ::open(ParentOf(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.ok()) ::fsync(parent.get());
  return Ok();
}

}  // namespace ridgeline::os
