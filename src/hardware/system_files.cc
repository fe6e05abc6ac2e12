#include "hardware/system_files.h"

#include "base/result.h"
#include "os/files.h"

namespace ridgeline::hardware {

std::filesystem::path SystemFiles::At(std::string_view path) const {
  return root_ / path.substr(path.starts_with('/') ? 1 : 0);
}

std::optional<std::string> SystemFiles::Read(std::string_view path) const {
  Result<std::string> text = os::ReadFile(At(path));
  if (!text.ok()) return std::nullopt;
  return std::move(text).value();
}

std::optional<std::string> SystemFiles::ReadLine(std::string_view path) const {
  const std::optional<std::string> text = Read(path);
  if (!text) return std::nullopt;
  std::string line(Trimmed(*text));
  if (line.empty()) return std::nullopt;
  return line;
}

bool SystemFiles::Exists(std::string_view path) const {
  return os::IsRegularFile(At(path)) || os::IsDirectory(At(path));
}

std::vector<std::string> SystemFiles::List(std::string_view directory) const {
  std::vector<std::string> names;
  const Result<std::vector<os::DirectoryEntry>> entries =
      os::ListDirectory(At(directory));
  if (!entries.ok()) return names;
  for (const os::DirectoryEntry& entry : entries.value()) names.push_back(entry.name);
  return names;
}

}  // namespace ridgeline::hardware
