// The only way to move or delete files: through a directory created by this program.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace ridgeline::os {

// A directory whose contents are ours: we created it, or claimed it by writing our marker
// into it. Every operation rejects, with ErrorCode::kIo, any path outside it, both as
// spelled and after resolving the symbolic links above its last component. So neither a
// path printed by a tool nor a link created by a workload can reach a user's file.
class OwnedDirectory {
 public:
  explicit OwnedDirectory(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }

  // Removes a file, a link (not its target) or a directory with its contents. Succeeds if
  // nothing is there.
  Status Remove(const std::filesystem::path& path) const;

  // Moves a file or directory to a path that does not exist. A directory must stay within
  // its file system; the move survives a crash, but recently written files in it may not.
  Status Move(const std::filesystem::path& from, const std::filesystem::path& to) const;

  // Moves a file, replacing the file at `to` if there is one, within the same file
  // system. Needs no disk space.
  Status Replace(const std::filesystem::path& from,
                 const std::filesystem::path& to) const;

 private:
  Status CheckBelow(const std::filesystem::path& path) const;

  std::filesystem::path root_;
};

}  // namespace ridgeline::os
