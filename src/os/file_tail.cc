#include "os/file_tail.h"

#include "os/file_descriptor.h"

namespace ridgeline::os {

std::string FileTail::ReadNew() {
  constexpr size_t kMaxBytes = size_t{1} << 20;
  const FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return "";
  std::string bytes(kMaxBytes, '\0');
  size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::pread(file.get(), bytes.data() + size, bytes.size() - size,
                                offset_bytes_ + static_cast<int64_t>(size));
    if (got <= 0) break;
    size += static_cast<size_t>(got);
  }
  bytes.resize(size);
  offset_bytes_ += static_cast<int64_t>(size);
  return bytes;
}

}  // namespace ridgeline::os
