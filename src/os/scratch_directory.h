#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

// TMPDIR, else /tmp.
std::filesystem::path TemporaryDirectory();

// A temporary directory, deleted with its contents when this is destroyed.
class ScratchDirectory {
 public:
  // In TemporaryDirectory(); its name begins with `name`.
  static Result<ScratchDirectory> Make(const std::string& name);

  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();

  // Absolute, symbolic links resolved.
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // Empty: moved from.
};

}  // namespace ridgeline::os
