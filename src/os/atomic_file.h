// AtomicFile: what os::WriteFileAtomically does, for a file too large to be held in
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// Nothing is at `path`, or what was there before stays, until Commit() has put the whole
// file in its place; without it, what was written vanishes. Where the file system allows
// it, that also holds when the process is killed. Errors as in os/files.h.
class AtomicFile {
 public:
  // The directory must exist. `expected_bytes` are reserved, where the file system can,
  // so that a full disk is an error before the work and not after it.
  static Result<AtomicFile> Create(const std::filesystem::path& path,
                                   int64_t expected_bytes);

  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends.
  Status Write(std::span<const std::byte> bytes);

  // The last call, once. On the disk when it returns.
  Status Commit();

 private:
  AtomicFile(std::filesystem::path path, FileDescriptor file,
             std::filesystem::path temporary);
  Status GiveName();

  std::filesystem::path path_;
  FileDescriptor file_;
  std::filesystem::path temporary_;  // Empty while the file has no name.
};

}  // namespace ridgeline::os
