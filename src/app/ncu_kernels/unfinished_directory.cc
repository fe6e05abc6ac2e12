#include "app/ncu_kernels/unfinished_directory.h"

#include <fmt/format.h>

#include <utility>

#include "os/env.h"
#include "os/files.h"

namespace ridgeline::app {

namespace fs = std::filesystem;

Result<UnfinishedDirectory> UnfinishedDirectory::Make(const fs::path& final_path) {
  RIDGELINE_TRY(const fs::path here, os::CurrentDirectory());
  fs::path target = (here / final_path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();  // "out/"
  const fs::path path =
      target.parent_path() /
      fmt::format(".{}.unfinished-{}", target.filename().string(), os::ProcessId());
  // Of a process that had our number and was killed.
  RIDGELINE_RETURN_IF_ERROR(os::RemoveAll(path));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(path));
  return UnfinishedDirectory(path, target);
}

UnfinishedDirectory::UnfinishedDirectory(UnfinishedDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), final_path_(std::move(other.final_path_)) {}

UnfinishedDirectory::~UnfinishedDirectory() {
  // Nobody is left to be told; what cannot be removed says by its name what it is.
  if (!path_.empty()) static_cast<void>(os::RemoveAll(path_));
}

Status UnfinishedDirectory::Commit() {
  // What was there is gone only when the new one is in its place.
  const fs::path before = path_.string() + "-before";
  if (os::Exists(final_path_)) {
    RIDGELINE_RETURN_IF_ERROR(os::RenameDirectory(final_path_, before));
  }
  RIDGELINE_RETURN_IF_ERROR(os::RenameDirectory(path_, final_path_));
  path_.clear();
  return os::RemoveAll(before);
}

}  // namespace ridgeline::app
