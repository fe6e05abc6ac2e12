#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// What the system said about a path, as os/files.h promises.
inline Error SystemError(const std::filesystem::path& path, int error_number) {
  const bool absent = error_number == ENOENT || error_number == ENOTDIR;
  return {absent ? ErrorCode::kNotFound : ErrorCode::kIo,
          path.string() + ": " + std::strerror(error_number)};
}

}  // namespace ridgeline::os
