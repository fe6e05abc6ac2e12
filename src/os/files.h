// Files and directories. Errors begin with the path and end with what the
// system says: "conf/model/tiny.yaml: No such file or directory". A path that
// does not exist is ErrorCode::kNotFound, every other refusal is kIo.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::os {

// The whole file as bytes, whatever they are.
Result<std::string> ReadFile(const std::filesystem::path& path);

// Replaces `path` as a whole: other processes see the old file or the new one,
// never half of it, also after a crash. The directory must exist. A symbolic
// link is replaced, not followed.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

enum class FileKind { kRegular, kDirectory, kOther };

struct DirectoryEntry {
  std::string name;  // Without the directory.
  FileKind kind = FileKind::kOther;

  bool operator==(const DirectoryEntry&) const = default;
};

// Everything in the directory except "." and "..", sorted by name. Symbolic
// links count as what they point to; broken ones are kOther.
Result<std::vector<DirectoryEntry>> ListDirectory(const std::filesystem::path& path);

// Both follow symbolic links and are false for what cannot be looked at.
bool IsDirectory(const std::filesystem::path& path);
bool IsRegularFile(const std::filesystem::path& path);

// Absolute, with every symbolic link, "." and ".." resolved. The path must exist.
Result<std::filesystem::path> RealPath(const std::filesystem::path& path);

}  // namespace ridgeline::os
