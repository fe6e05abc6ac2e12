#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

// How a finished directory of one kind is known: by a file in it that contains a text.
struct DirectoryMarker {
  std::string file;
  std::string text;
};

// A directory that gets its name once everything is in it. Without Commit() it vanishes.
class AtomicDirectory {
 public:
  // Made next to `final_path`, so that it can be renamed, together with missing
  // directories above it.
  static Result<AtomicDirectory> Make(const std::filesystem::path& final_path,
                                      DirectoryMarker marker);

  AtomicDirectory(AtomicDirectory&& other) noexcept;
  AtomicDirectory& operator=(AtomicDirectory&&) = delete;
  ~AtomicDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Replaces an earlier directory at the final path if it contains the marker or nothing;
  // an error for anything else, which stays as it is.
  Status Commit();

 private:
  AtomicDirectory(std::filesystem::path path, std::filesystem::path final_path,
                  DirectoryMarker marker)
      : path_(std::move(path)),
        final_path_(std::move(final_path)),
        marker_(std::move(marker)) {}

  std::filesystem::path path_;  // Empty: moved from, or committed.
  std::filesystem::path final_path_;
  DirectoryMarker marker_;
};

// Whether a finished AtomicDirectory of this marker may take the place of `path`: nothing
// is there, an empty directory, or one with the marker. The error names what is in the
// way.
Status CheckReplaceable(const std::filesystem::path& path, const DirectoryMarker& marker);

}  // namespace ridgeline::os
