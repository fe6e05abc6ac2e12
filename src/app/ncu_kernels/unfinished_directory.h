#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::app {

// A directory that gets its name when everything is in it. Without Commit() it vanishes.
class UnfinishedDirectory {
 public:
  // Beside `final_path`, so that it can be renamed; makes the directories above it.
  static Result<UnfinishedDirectory> Make(const std::filesystem::path& final_path);

  UnfinishedDirectory(UnfinishedDirectory&& other) noexcept;
  UnfinishedDirectory& operator=(UnfinishedDirectory&&) = delete;
  ~UnfinishedDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Replaces what is at the final path, if anything is.
  Status Commit();

 private:
  UnfinishedDirectory(std::filesystem::path path, std::filesystem::path final_path)
      : path_(std::move(path)), final_path_(std::move(final_path)) {}

  std::filesystem::path path_;  // Empty: moved from, or committed.
  std::filesystem::path final_path_;
};

}  // namespace ridgeline::app
