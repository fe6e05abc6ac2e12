#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/strict_json.h"
#include "os/files.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Result<fs::path> NamedSnapshot(const fs::path& cache, const fs::path& ref) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(ref));
  const std::string revision(Trimmed(text));
  const fs::path snapshot = cache / "snapshots" / revision;
  const bool plain = !revision.empty() && revision.find('/') == std::string::npos &&
                     revision != "." && revision != "..";
  if (!plain || !os::IsDirectory(snapshot)) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("{}: snapshot {} not found; download the model again",
                             ref.string(), Quoted(revision)));
  }
  return snapshot;
}

Result<fs::path> OnlySnapshot(const fs::path& snapshots) {
  RIDGELINE_TRY(const std::vector<os::DirectoryEntry> entries,
                os::ListDirectory(snapshots));
  std::vector<std::string> names;
  for (const os::DirectoryEntry& entry : entries) {
    if (entry.kind == os::FileKind::kDirectory) names.push_back(entry.name);
  }
  if (names.size() == 1) return snapshots / names.front();
  if (names.empty()) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("{}: contains no snapshot; download the model again",
                             snapshots.string()));
  }
  return Error(ErrorCode::kConfig,
               fmt::format("{}: {} snapshots and no refs/main; set one of {}",
                           snapshots.string(), names.size(), fmt::join(names, ", ")));
}

}  // namespace

Result<fs::path> FindModelDirectory(const fs::path& path) {
  if (!os::IsDirectory(path)) {
    const bool exists = os::Exists(path);
    return Error(
        exists ? ErrorCode::kConfig : ErrorCode::kNotFound,
        fmt::format("{}: {}", path.string(),
                    exists ? "not a model directory" : "No such file or directory"));
  }
  const fs::path snapshots = path / "snapshots";
  if (os::Exists(path / "config.json") || !os::IsDirectory(snapshots)) return path;
  const fs::path ref = path / "refs" / "main";
  if (os::Exists(ref)) return NamedSnapshot(path, ref);
  return OnlySnapshot(snapshots);
}

}  // namespace ridgeline::checkpoints
