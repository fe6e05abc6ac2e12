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

}  // namespace

Status RemoveStaleFiles(const std::filesystem::path& directory) {
  if (!IsDirectory(directory)) return Ok();
  RIDGELINE_TRY(const auto entries, ListDirectory(directory));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<int64_t> writer = WriterOf(entry.name);
    if (!writer || entry.kind != FileKind::kRegular) continue;
    // One with our number was killed before we started.
    if (*writer != ::getpid() && IsProcessAlive(*writer)) continue;
    RIDGELINE_RETURN_IF_ERROR(OwnedDirectory(directory).Remove(directory / entry.name));
  }
  return Ok();
}

}  // namespace ridgeline::os
