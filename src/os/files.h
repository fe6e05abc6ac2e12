// Files and directories. Errors begin with the path and end with what the
// system says: "conf/model/tiny.yaml: No such file or directory". A path that
// does not exist is ErrorCode::kNotFound, every other refusal is kIo.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::os {

// The whole file as bytes, whatever they are.
Result<std::string> ReadFile(const std::filesystem::path& path);

// Hands over the file from begin to end, at most 1 MiB at a time. A view is gone when
// the call returns. After an error, what was handed over is the beginning of the file.
Status ForEachBlock(const std::filesystem::path& path,
                    const std::function<void(std::string_view block)>& on_block);

// Replaces `path` as a whole: other processes see the old file or the new one,
// never half of it, also after a crash. The directory must exist. A symbolic
// link is replaced, not followed.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// The same, but a power failure may leave nothing or an empty file: for what matters only
// while this process may be killed. Many times faster than waiting for the disk.
Status ReplaceFileUnsynced(const std::filesystem::path& path, std::string_view bytes);

// As WriteFileAtomically for text that people read, also with `cat`: control characters
// of names in it are shown (base/printable.h). A power failure may undo it until the next
// file of the directory is written by WriteFileAtomically, as the manifest of a run is.
Status WriteText(const std::filesystem::path& path, std::string_view text);

// Neither as a whole nor on the disk when it returns: for files that come by the thousand
// in a directory that is not in its place yet, or that are soon written again.
Status WriteFile(const std::filesystem::path& path, std::string_view bytes);

// Like WriteFileAtomically, readable and writable only for the owner.
Status WritePrivateFile(const std::filesystem::path& path, std::string_view bytes);

// The same for a path at which there is nothing yet. False: something is there, be it a
// broken link, and stays as it is. Of several processes that do this at once, one gets
// true.
//
// On file systems that have neither hard links nor a rename that does not replace (some
// that lie in a cloud), the others see an empty file for a moment.
Result<bool> WriteFileExclusively(const std::filesystem::path& path,
                                  std::string_view bytes);

enum class FileKind { kRegular, kDirectory, kOther };

struct DirectoryEntry {
  std::string name;  // Without the directory.
  FileKind kind = FileKind::kOther;

  bool operator==(const DirectoryEntry&) const = default;
};

// Everything in the directory except "." and "..", sorted by name. Symbolic
// links count as what they point to; broken ones are kOther.
Result<std::vector<DirectoryEntry>> ListDirectory(const std::filesystem::path& path);

// Also the directories above it that are missing. Fine if it exists; an error names the
// one that could not be made.
Status CreateDirectories(const std::filesystem::path& path);

// The same; if it did not exist, only the owner may enter it.
Status CreatePrivateDirectory(const std::filesystem::path& path);

// Moves a directory, within one file system, to where there is nothing yet. The move
// survives a crash; files in the directory that were just written need not.
Status RenameDirectory(const std::filesystem::path& from,
                       const std::filesystem::path& to);

// A file to where there is nothing yet, also on another file system.
Status MoveFile(const std::filesystem::path& from, const std::filesystem::path& to);

// A file, a link (not what it points to) or a directory with all that is in it. Fine if
// there is nothing.
Status RemoveAll(const std::filesystem::path& path);

// Only an empty one: an error for everything else.
Status RemoveEmptyDirectory(const std::filesystem::path& path);

// Removes `path` and the directories below it that hold no file, as far as we may.
void RemoveEmptyDirectories(const std::filesystem::path& path);

// From now on relative paths of this process begin there.
Status ChangeDirectory(const std::filesystem::path& path);

// Follows symbolic links; a directory is an error.
Result<int64_t> FileSize(const std::filesystem::path& path);

// Whether the path exists, even as a dangling link. False if it cannot be examined.
bool Exists(const std::filesystem::path& path);

// Both follow symbolic links and are false for what cannot be looked at.
bool IsDirectory(const std::filesystem::path& path);
bool IsRegularFile(const std::filesystem::path& path);

// Absolute, with every symbolic link, "." and ".." resolved. The path must exist.
Result<std::filesystem::path> RealPath(const std::filesystem::path& path);

// Another one as soon as a path leads to another file, or the file was written since.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t changed_ns = 0;  // By the clock of the file system.

  bool operator==(const FileStamp&) const = default;
};

Result<FileStamp> StampOf(const std::filesystem::path& path);

// A symbolic link at `link`, where there is nothing yet. A relative `target` counts from
// the link's directory and need not exist.
Status MakeLink(const std::filesystem::path& target, const std::filesystem::path& link);

// Also a dangling one. False if the path cannot be examined.
bool IsLink(const std::filesystem::path& path);

}  // namespace ridgeline::os
