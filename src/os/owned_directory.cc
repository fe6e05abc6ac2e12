#include "os/owned_directory.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "os/files.h"
#include "os/system_error.h"

namespace ridgeline::os {
namespace {

namespace fs = std::filesystem;

// Both absolute, or both relative to the same directory; a path is not below itself.
bool IsBelow(const fs::path& path, const fs::path& root) {
  const auto [in_root, in_path] =
      std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return in_root == root.end() && in_path != path.end();
}

// Without ".", ".." and the empty component after a trailing slash.
fs::path Normal(const fs::path& path) {
  std::error_code ignored;  // An empty path stays empty and is not below anything.
  fs::path normal = fs::absolute(path, ignored).lexically_normal();
  if (!normal.has_filename() && normal.has_relative_path()) normal = normal.parent_path();
  return normal;
}

// The nearest existing parent directory of `path`, symbolic links resolved.
Result<fs::path> RealParent(const fs::path& path) {
  fs::path parent = path.parent_path();
  while (!Exists(parent) && parent.has_relative_path()) parent = parent.parent_path();
  return RealPath(parent);
}

}  // namespace

Status OwnedDirectory::CheckBelow(const fs::path& path) const {
  const fs::path normal = Normal(path);
  const fs::path root = Normal(root_);
  bool below = !root.empty() && IsBelow(normal, root);
  if (below && Exists(root)) {
    RIDGELINE_TRY(const fs::path real_root, RealPath(root));
    RIDGELINE_TRY(const fs::path real_parent, RealParent(normal));
    below = IsBelow(real_parent / normal.filename(), real_root);
  }
  if (below) return Ok();
  return Error(ErrorCode::kIo, path.string() +
                                   ": refusing to move or delete it: it is "
                                   "not below " +
                                   root_.string());
}

Status OwnedDirectory::Remove(const fs::path& path) const {
  RIDGELINE_RETURN_IF_ERROR(CheckBelow(path));
  return RemoveAll(path);
}

Status OwnedDirectory::Move(const fs::path& from, const fs::path& to) const {
  RIDGELINE_RETURN_IF_ERROR(CheckBelow(from));
  RIDGELINE_RETURN_IF_ERROR(CheckBelow(to));
  return IsDirectory(from) ? RenameDirectory(from, to) : MoveFile(from, to);
}

Status OwnedDirectory::Replace(const fs::path& from, const fs::path& to) const {
  RIDGELINE_RETURN_IF_ERROR(CheckBelow(from));
  RIDGELINE_RETURN_IF_ERROR(CheckBelow(to));
  if (::rename(from.c_str(), to.c_str()) != 0) return SystemError(from, errno);
  return Ok();
}

}  // namespace ridgeline::os
