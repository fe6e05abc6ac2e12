#include "os/stale_files.h"

#include <unistd.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "os/env.h"
#include "os/files.h"
#include "os/owned_directory.h"

namespace ridgeline::os {
namespace {

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end || number < 0) return {};
  return number;
}

// 1234 of ".manifest.json.1234-0" and ".model.safetensors.1234-part0"; nothing: not a
// name that os/files.cc or os/atomic_file.cc gives.
std::optional<int64_t> WriterOf(std::string_view name) {
  const size_t dot = name.rfind('.');
  const size_t dash = name.rfind('-');
  const bool has_parts = name.starts_with('.') && dot != name.npos && dot > 1 &&
                         dash != name.npos && dash > dot;
  if (!has_parts) return {};
  std::string_view count = name.substr(dash + 1);
  if (count.starts_with("part")) count.remove_prefix(4);
  if (!WholeNumber(count)) return {};
  return WholeNumber(name.substr(dot + 1, dash - dot - 1));
}

// Names of os/atomic_directory.cc: ".page.unfinished-1234", and with "-before" what it
// was about to replace.
struct UnfinishedDirectory {
  std::string final_name;
  int64_t writer = 0;
  bool is_before = false;
};

std::optional<UnfinishedDirectory> UnfinishedOf(std::string_view name) {
  constexpr std::string_view kUnfinished = ".unfinished-";
  constexpr std::string_view kBefore = "-before";
  const size_t at = name.rfind(kUnfinished);
  if (!name.starts_with('.') || at == name.npos || at < 2) return {};
  std::string_view writer = name.substr(at + kUnfinished.size());
  const bool is_before = writer.ends_with(kBefore);
  if (is_before) writer.remove_suffix(kBefore.size());
  const std::optional<int64_t> number = WholeNumber(writer);
  if (!number) return {};
  return UnfinishedDirectory{std::string(name.substr(1, at - 1)), *number, is_before};
}

// One with our number was killed before we started.
bool IsGone(int64_t writer) { return writer == ::getpid() || !IsProcessAlive(writer); }

Status RecoverDirectory(const std::filesystem::path& parent, const std::string& name) {
  const std::optional<UnfinishedDirectory> unfinished = UnfinishedOf(name);
  if (!unfinished || !IsGone(unfinished->writer)) return Ok();
  const OwnedDirectory owned(parent);
  const std::filesystem::path final_path = parent / unfinished->final_name;
  if (unfinished->is_before && !Exists(final_path)) {
    return owned.Move(parent / name, final_path);
  }
  return owned.Remove(parent / name);
}

}  // namespace

Status RemoveStaleFiles(const std::filesystem::path& directory) {
  if (!IsDirectory(directory)) return Ok();
  RIDGELINE_TRY(const auto entries, ListDirectory(directory));
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind == FileKind::kDirectory) {
      RIDGELINE_RETURN_IF_ERROR(RecoverDirectory(directory, entry.name));
      continue;
    }
    const std::optional<int64_t> writer = WriterOf(entry.name);
    if (!writer || entry.kind != FileKind::kRegular || !IsGone(*writer)) continue;
    RIDGELINE_RETURN_IF_ERROR(OwnedDirectory(directory).Remove(directory / entry.name));
  }
  return Ok();
}

}  // namespace ridgeline::os
