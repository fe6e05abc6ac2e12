#include "os/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "os/file_descriptor.h"
#include "os/system_error.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<MappedFile> MappedFile::Open(const fs::path& path, MemoryAdvice advice) {
  // O_NONBLOCK because opening a pipe would wait for a writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) return SystemError(path, errno);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return SystemError(path, errno);
  if (S_ISDIR(info.st_mode)) return SystemError(path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    return Error(ErrorCode::kIo, path.string() + ": not a regular file");
  }
  if (info.st_size == 0) return MappedFile({});  // mmap rejects empty mappings.

  const auto size_bytes = static_cast<size_t>(info.st_size);
  void* const address =
      ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return SystemError(path, errno);
  MappedFile mapped({static_cast<const std::byte*>(address), size_bytes});
  if (advice == MemoryAdvice::kRandom) ::madvise(address, size_bytes, MADV_RANDOM);
  return mapped;
}

MappedFile::~MappedFile() { Unmap(); }

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  Unmap();
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

void MappedFile::Unmap() {
  if (bytes_.empty()) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  bytes_ = {};
}

}  // namespace ridgeline::os
