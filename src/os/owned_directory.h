// The only way to move or delete files: through a directory that this program made.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// A directory whose contents are ours: we created it, or claimed it by writing a marker
// of ours into it. Each operation refuses, with ErrorCode::kIo, every path that does not
// lie below it: as it is spelled, and after the symbolic links above its last component
// are resolved. So neither a path that a tool printed nor a link that a workload made can
// reach a file of the user.
class OwnedDirectory {
 public:
  explicit OwnedDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }

  // A file, a link (not its target) or a directory with its contents. Fine if there is
  // nothing.
  Status Remove(const std::filesystem::path& path) const;

  // A file or directory, to a path at which there is nothing yet. A directory stays
  // within its file system; the move survives a crash, but files in it that were just
  // written need not.
  Status Move(const std::filesystem::path& from, const std::filesystem::path& to) const;

  // A file, over the file at `to` if there is one, in the same file system. Needs no
  // space.
  Status Replace(const std::filesystem::path& from,
                 const std::filesystem::path& to) const;

 private:
  Status CheckBelow(const std::filesystem::path& path) const;

  std::filesystem::path root_;
};

}  // namespace ridgeline::os
