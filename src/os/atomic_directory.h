#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ridgeline::os {

// Identifies a finished directory of one kind: `file` exists in it and contains the text.
struct DirectoryMarker {
  std::string file;
  std::string text;
};

// A directory that gets its final name once it is complete. Deleted without Commit().
class AtomicDirectory {
 public:
  // Created next to `final_path` so that it can be renamed; missing parent directories
  // are created.
  static Result<AtomicDirectory> Make(const std::filesystem::path& final_path,
                                      DirectoryMarker marker);

  AtomicDirectory(AtomicDirectory&& other) noexcept;
  AtomicDirectory& operator=(AtomicDirectory&&) = delete;
  ~AtomicDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Replaces an earlier directory at the final path if it has the marker or is empty;
  // anything else is an error and is left unchanged.
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

// Whether a finished AtomicDirectory with this marker may replace `path`: it does not
// exist, is an empty directory, or has the marker. The error names what is in the way.
Status CheckReplaceable(const std::filesystem::path& path, const DirectoryMarker& marker);

}  // namespace ridgeline::os
