// os::WriteFileAtomically for files too large to keep in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/result.h"
#include "os/file_descriptor.h"

namespace ridgeline::os {

// `path` is unchanged until Commit() puts the complete file there; without Commit(), the
// written data is discarded. Where the file system allows it, this also holds if the
// process is killed. Errors as in os/files.h.
class AtomicFile {
 public:
  // The directory must exist. Reserves `expected_bytes` if the file system can, so that a
  // full disk is an error before the work rather than after it.
  static Result<AtomicFile> Create(const std::filesystem::path& path,
                                   int64_t expected_bytes);

  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends.
  Status Write(std::span<const std::byte> bytes);

  // Must be the last call. The file is on disk when it returns.
  Status Commit();

 private:
  AtomicFile(std::filesystem::path path, FileDescriptor file,
             std::filesystem::path temporary);
  Status GiveName();

  std::filesystem::path path_;
  FileDescriptor file_;
  std::filesystem::path temporary_;  // Empty while the file is unnamed.
};

}  // namespace ridgeline::os
