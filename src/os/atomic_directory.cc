#include "os/atomic_directory.h"

#include <utility>

#include "os/env.h"
#include "os/files.h"

namespace ridgeline::os {

namespace fs = std::filesystem;

Result<AtomicDirectory> AtomicDirectory::Make(const fs::path& final_path,
                                              DirectoryMarker marker) {
  RIDGELINE_TRY(const fs::path here, CurrentDirectory());
  fs::path target = (here / final_path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();  // "out/"
  const fs::path path =
      target.parent_path() /
      ("." + target.filename().string() + ".unfinished-" + std::to_string(ProcessId()));
  // Left behind by a killed process with the same PID.
  RIDGELINE_RETURN_IF_ERROR(RemoveAll(path));
  RIDGELINE_RETURN_IF_ERROR(CreateDirectories(path));
  return AtomicDirectory(path, target, std::move(marker));
}

AtomicDirectory::AtomicDirectory(AtomicDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      final_path_(std::move(other.final_path_)),
      marker_(std::move(other.marker_)) {}

AtomicDirectory::~AtomicDirectory() {
  // A destructor cannot report errors; the name of a leftover shows that it is
  // unfinished.
  if (!path_.empty()) static_cast<void>(RemoveAll(path_));
}

Status AtomicDirectory::Commit() {
  RIDGELINE_RETURN_IF_ERROR(CheckReplaceable(final_path_, marker_));
  // The earlier directory is deleted only after the new one is in place.
  const fs::path before = path_.string() + "-before";
  if (Exists(final_path_)) {
    RIDGELINE_RETURN_IF_ERROR(RenameDirectory(final_path_, before));
  }
  RIDGELINE_RETURN_IF_ERROR(RenameDirectory(path_, final_path_));
  path_.clear();
  return RemoveAll(before);
}

Status CheckReplaceable(const fs::path& path, const DirectoryMarker& marker) {
  if (!Exists(path)) return Ok();
  if (!IsDirectory(path)) {
    return Error(ErrorCode::kConfig, path.string() + ": exists and is not a directory");
  }
  RIDGELINE_TRY(const auto entries, ListDirectory(path));
  if (entries.empty()) return Ok();
  if (!IsRegularFile(path / marker.file)) {
    return Error(ErrorCode::kConfig, path.string() + ": not replaced: no " + marker.file +
                                         " in it, so ridgeline did not create it");
  }
  RIDGELINE_TRY(const std::string text, ReadFile(path / marker.file));
  if (text.find(marker.text) != text.npos) return Ok();
  return Error(ErrorCode::kConfig, path.string() + ": not replaced: its " + marker.file +
                                       " was not written by ridgeline");
}

}  // namespace ridgeline::os
