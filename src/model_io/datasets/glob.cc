#include "model_io/datasets/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "os/files.h"

namespace ridgeline::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnyDepth = "**";

// ---- One part of a path

// The bytes of the first character of a text that is not empty. Broken UTF-8 is taken as
// one byte each, so that every name can be matched.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (bytes > text.size()) return 1;
  for (size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  }
  return bytes;
}

std::string_view TakeCharacter(std::string_view& text) {
  const std::string_view character = text.substr(0, CharacterBytes(text));
  text.remove_prefix(character.size());
  return character;
}

// Where the set that begins at pattern[0], a '[', ends: at its ']'. Nothing if it has
// none. The first character of a set is no end: []], [!]].
std::optional<size_t> EndOfSet(std::string_view pattern) {
  const size_t first = pattern.starts_with("[!") ? 2 : 1;
  const size_t end = pattern.find(']', first + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return end;
}

// `set` is what stands between the brackets. The order of UTF-8 is that of its bytes.
bool IsInSet(std::string_view set, std::string_view character) {
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    const std::string_view low = TakeCharacter(set);
    std::string_view high = low;
    if (set.size() > 1 && set.starts_with('-')) {
      set.remove_prefix(1);
      high = TakeCharacter(set);
    }
    found = found || (low <= character && character <= high);
  }
  return found != negated;
}

// Matches the first character of a name that is not empty with the first thing of a
// pattern that is no '*', and takes both away.
bool TakeOne(std::string_view& pattern, std::string_view& name) {
  if (pattern.empty()) return false;
  const std::string_view character = TakeCharacter(name);
  if (pattern[0] == '?') {
    pattern.remove_prefix(1);
    return true;
  }
  if (pattern[0] == '[') {
    if (const std::optional<size_t> end = EndOfSet(pattern)) {
      const std::string_view set = pattern.substr(1, *end - 1);
      pattern.remove_prefix(*end + 1);
      return IsInSet(set, character);
    }
  }
  return TakeCharacter(pattern) == character;
}

bool HasWildcard(std::string_view part) {
  return part.find_first_of("*?[") != std::string_view::npos;
}

bool IsHidden(std::string_view name) { return name.starts_with('.'); }

// ---- Below a directory

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

// Goes through directories and collects. A path is one from the root, empty for itself.
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
  // `path` matched, `rest` is to match below it.
  Status Enter(const std::string& path, std::span<const std::string_view> rest) {
    if (!rest.empty()) {
      return os::IsDirectory(root_ / path) ? Match(path, rest) : Status(Ok());
    }
    if (os::IsRegularFile(root_ / path)) files_.push_back(path);
    return Ok();
  }

  Status MatchAnyDepth(const std::string& path, std::span<const std::string_view> rest) {
    // "images/**" ends with it: all files at any depth.
    static constexpr std::string_view kAnyName[] = {"*"};
    if (rest.empty()) rest = kAnyName;
    RIDGELINE_TRY(fs::path real, os::RealPath(root_ / path));
    const auto [place, is_new] = entered_.insert(std::move(real));
    if (!is_new) return Ok();  // A link led back to where we are.
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
  std::set<fs::path> entered_;  // The directories above, as they really are.
};

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view name) {
  if (IsHidden(name) && !IsHidden(pattern)) return false;
  // After a mismatch only the last '*' need take one character more: what an earlier one
  // could still take, the last one can. So the time is at most the product of the sizes.
  std::optional<std::pair<std::string_view, std::string_view>> last_star;
  while (!name.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      last_star = {pattern, name};
      continue;
    }
    if (TakeOne(pattern, name)) continue;
    if (!last_star) return false;
    TakeCharacter(last_star->second);
    std::tie(pattern, name) = *last_star;
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

Result<std::vector<std::string>> FilesMatching(const fs::path& root,
                                               std::string_view pattern) {
  const std::vector<std::string_view> parts = Parts(pattern);
  if (parts.empty() || pattern.starts_with('/')) {
    return Error(ErrorCode::kConfig,
                 fmt::format("dataset.fallback_patterns: '{}' is not a pattern below "
                             "dataset.root",
                             pattern));
  }
  Search search(root);
  RIDGELINE_RETURN_IF_ERROR(search.Match("", parts));
  return std::move(search).TakeFiles();
}

}  // namespace ridgeline::datasets
