#include "model_io/datasets/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/glob.h"
#include "os/files.h"

namespace ridgeline::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnyDepth = "**";

bool HasWildcard(std::string_view part) {
  return part.find_first_of("*?[") != std::string_view::npos;
}

bool IsHidden(std::string_view name) { return name.starts_with('.'); }

std::vector<std::string_view> Parts(std::string_view pattern) {
  std::vector<std::string_view> parts;
  while (!pattern.empty()) {
    const size_t end = std::min(pattern.find('/'), pattern.size());
    const std::string_view part = pattern.substr(0, end);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    if (part.empty() || part == ".") continue;  // "a//b" and "a/./b" are "a/b".
    const bool again = part == kAnyDepth && !parts.empty() && parts.back() == kAnyDepth;
    if (!again) parts.push_back(part);
  }
  return parts;
}

std::string Joined(const std::string& directory, std::string_view name) {
  return directory.empty() ? std::string(name) : fmt::format("{}/{}", directory, name);
}

// A page that is missing, such as one that is not mounted, must not go unnoticed.
bool IsBrokenLink(const fs::path& path) {
  return os::Exists(path) && !os::RealPath(path).ok();
}

// Walks directories and collects matches. Paths are relative to the root, empty for the
// root itself.
class Search {
 public:
  explicit Search(const fs::path& root) : root_(root) {}

  std::vector<std::string>&& TakeFiles() && { return std::move(files_); }

  Status Match(const std::string& path, std::span<const std::string_view> parts) {
    const std::string_view part = parts.front();
    if (part == kAnyDepth) return MatchAnyDepth(path, parts.subspan(1));
    if (!HasWildcard(part)) return Enter(Joined(path, part), parts.subspan(1));
    return ForEachIn(path, [&](const os::DirectoryEntry& entry) -> Status {
      if (!MatchesPattern(part, entry.name)) return Ok();
      return Enter(Joined(path, entry.name), parts.subspan(1));
    });
  }

 private:
  // `path` matched; `rest` must match below it.
  Status Enter(const std::string& path, std::span<const std::string_view> rest) {
    if (!rest.empty()) {
      return os::IsDirectory(root_ / path) ? Match(path, rest) : Status(Ok());
    }
    if (os::IsRegularFile(root_ / path) || IsBrokenLink(root_ / path)) {
      files_.push_back(path);
    }
    return Ok();
  }

  Status MatchAnyDepth(const std::string& path, std::span<const std::string_view> rest) {
    // "images/**" ends with it: all files at any depth.
    static constexpr std::string_view kAnyName[] = {"*"};
    if (rest.empty()) rest = kAnyName;
    RIDGELINE_TRY(fs::path real, os::RealPath(root_ / path));
    const auto [place, is_new] = entered_.insert(std::move(real));
    if (!is_new) return Ok();  // A symbolic link leads back to an enclosing directory.
    RIDGELINE_RETURN_IF_ERROR(Match(path, rest));
    RIDGELINE_RETURN_IF_ERROR(
        ForEachIn(path, [&](const os::DirectoryEntry& entry) -> Status {
          const bool deeper =
              entry.kind == os::FileKind::kDirectory && !IsHidden(entry.name);
          return deeper ? MatchAnyDepth(Joined(path, entry.name), rest) : Status(Ok());
        }));
    entered_.erase(place);
    return Ok();
  }

  template <typename OnEntry>
  Status ForEachIn(const std::string& path, OnEntry on_entry) {
    RIDGELINE_TRY(const std::vector<os::DirectoryEntry> entries,
                  os::ListDirectory(root_ / path));
    for (const os::DirectoryEntry& entry : entries) {
      RIDGELINE_RETURN_IF_ERROR(on_entry(entry));
    }
    return Ok();
  }

  const fs::path& root_;
  std::vector<std::string> files_;
  std::set<fs::path> entered_;  // Real paths of the enclosing directories.
};

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view name) {
  if (IsHidden(name) && !IsHidden(pattern)) return false;
  return GlobMatches(name, pattern);
}

Result<std::vector<std::string>> FilesMatching(const fs::path& root,
                                               std::string_view pattern) {
  const std::vector<std::string_view> parts = Parts(pattern);
  if (parts.empty() || pattern.starts_with('/')) {
    return Error(ErrorCode::kConfig, fmt::format("dataset.fallback_patterns: '{}' is not "
                                                 "a relative pattern below dataset.root",
                                                 pattern));
  }
  Search search(root);
  RIDGELINE_RETURN_IF_ERROR(search.Match("", parts));
  return std::move(search).TakeFiles();
}

}  // namespace ridgeline::datasets
