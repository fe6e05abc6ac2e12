#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// The system's error message for a path, in the form described in os/files.h.
inline Error SystemError(const std::filesystem::path& path, int error_number) {
  const bool absent = error_number == ENOENT || error_number == ENOTDIR;
  return {absent ? ErrorCode::kNotFound : ErrorCode::kIo,
          path.string() + ": " + std::strerror(error_number)};
}

}  // namespace ridgeline::os
