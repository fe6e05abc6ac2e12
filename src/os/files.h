// Files and directories. Errors begin with the path and end with the system's message:
// "conf/model/tiny.yaml: No such file or directory". A path that does not exist is
// ErrorCode::kNotFound, any other failure is kIo.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::os {

// The whole file, as bytes.
Result<std::string> ReadFile(const std::filesystem::path& path);

// Passes the file to `on_block` from start to end, at most 1 MiB at a time. A view is
// valid only during the call. After an error, the blocks passed so far are the beginning
// of the file.
Status ForEachBlock(const std::filesystem::path& path,
                    const std::function<void(std::string_view block)>& on_block);

// Replaces `path` as a whole: other processes see the old file or the new one, never a
// partial one, even after a crash. The directory must exist. A symbolic link is replaced,
// not followed.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// The same, but after a power failure the file may be missing or empty: for data that
// only has to survive the death of this process. Many times faster than waiting for the
// disk.
Status ReplaceFileUnsynced(const std::filesystem::path& path, std::string_view bytes);

// WriteFileAtomically for human-readable text: control characters, e.g. in names, are
// escaped (base/printable.h), so that `cat` is safe. A power failure may undo the write
// until the next file in the directory is written by WriteFileAtomically, e.g. the
// manifest of a run.
Status WriteText(const std::filesystem::path& path, std::string_view text);

// Neither atomic nor synced: for thousands of files in a directory that is not in place
// yet, or files that are soon rewritten.
Status WriteFile(const std::filesystem::path& path, std::string_view bytes);

// Like WriteFileAtomically, readable and writable only for the owner.
Status WritePrivateFile(const std::filesystem::path& path, std::string_view bytes);

// The same for a path that does not exist yet. False: something is there, possibly a
// broken link, and is left unchanged. If several processes do this at once, exactly one
// gets true.
//
// On file systems with neither hard links nor a non-replacing rename (some cloud file
// systems), the other processes see an empty file for a moment.
Result<bool> WriteFileExclusively(const std::filesystem::path& path,
                                  std::string_view bytes);

enum class FileKind { kRegular, kDirectory, kOther };

struct DirectoryEntry {
  std::string name;  // Without the directory.
  FileKind kind = FileKind::kOther;

  bool operator==(const DirectoryEntry&) const = default;
};

// Everything in the directory except "." and "..", sorted by name. Symbolic links have
// the kind of their target; broken ones are kOther.
Result<std::vector<DirectoryEntry>> ListDirectory(const std::filesystem::path& path);

// Also creates missing parents. Succeeds if it exists; an error names the directory that
// could not be created.
Status CreateDirectories(const std::filesystem::path& path);

// The same; if it is created, only the owner has access.
Status CreatePrivateDirectory(const std::filesystem::path& path);

// Moves a directory, within one file system, to a path that does not exist. The move
// survives a crash; recently written files in the directory may not.
Status RenameDirectory(const std::filesystem::path& from,
                       const std::filesystem::path& to);

// Moves a file to a path that does not exist, possibly on another file system.
Status MoveFile(const std::filesystem::path& from, const std::filesystem::path& to);

// Removes a file, a link (not its target) or a directory with its contents. Succeeds if
// nothing is there.
Status RemoveAll(const std::filesystem::path& path);

// Only an empty one; anything else is an error.
Status RemoveEmptyDirectory(const std::filesystem::path& path);

// Removes `path` and its subdirectories that contain no files, as far as permissions
// allow.
void RemoveEmptyDirectories(const std::filesystem::path& path);

// Sets the working directory of this process.
Status ChangeDirectory(const std::filesystem::path& path);

// Follows symbolic links; a directory is an error.
Result<int64_t> FileSize(const std::filesystem::path& path);

// Whether the path exists, even as a dangling link. False if it cannot be examined.
bool Exists(const std::filesystem::path& path);

// Both follow symbolic links and return false if the path cannot be examined.
bool IsDirectory(const std::filesystem::path& path);
bool IsRegularFile(const std::filesystem::path& path);

// Absolute, with every symbolic link, "." and ".." resolved. The path must exist.
Result<std::filesystem::path> RealPath(const std::filesystem::path& path);

// Changes if the path refers to another file or the file is modified.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t changed_ns = 0;  // By the file system's clock.

  bool operator==(const FileStamp&) const = default;
};

Result<FileStamp> StampOf(const std::filesystem::path& path);

// Creates a symbolic link at `link`, which must not exist. A relative `target` is
// relative to the link's directory and need not exist.
Status MakeLink(const std::filesystem::path& target, const std::filesystem::path& link);

// Includes dangling links. False if the path cannot be examined.
bool IsLink(const std::filesystem::path& path);

}  // namespace ridgeline::os
