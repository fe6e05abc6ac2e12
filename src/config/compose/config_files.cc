#include "config/compose/config_files.h"

#include <cstddef>
#include <utility>

#include "os/files.h"

namespace ridgeline::config {
namespace {

// Hydra resolves paths even if a component is missing: "nope/../a.yaml" is "a.yaml". The
// kernel rejects such a path, so it is retried normalized.
template <typename Question>
bool Ask(Question question, const std::string& path) {
  if (question(path)) return true;
  if (path.find("..") == std::string::npos) return false;
  return question(NormalizePath(path));
}

Error NotFound(const std::string& path) {
  return Error(ErrorKind::kOs, path + ": No such file or directory");
}

}  // namespace

std::string NormalizePath(std::string_view path) {
  std::vector<std::string_view> parts;
  const bool absolute = path.starts_with('/');
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = path.find('/', begin);
    if (end == std::string_view::npos) end = path.size();
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() || part == ".") continue;
    const bool can_go_up = !parts.empty() && parts.back() != "..";
    if (part != ".." || (!can_go_up && !absolute)) {
      parts.push_back(part);
    } else if (can_go_up) {
      parts.pop_back();
    }
  }
  std::string result;
  for (const std::string_view part : parts) {
    if (absolute || !result.empty()) result += '/';
    result += part;
  }
  if (result.empty() && absolute) result = "/";
  return result;
}

std::string JoinPath(std::string_view base, std::string_view path) {
  if (path.starts_with('/') || base.empty()) return std::string(path);
  std::string joined(base);
  if (!joined.ends_with('/')) joined += '/';
  joined += path;
  return joined;
}

Result<std::string> DiskFiles::Read(const std::string& path) const {
  auto text = os::ReadFile(os::IsRegularFile(path) ? path : NormalizePath(path));
  if (!text.ok()) return Error(ErrorKind::kOs, text.error().message());
  return std::move(text).value();
}

bool DiskFiles::IsFile(const std::string& path) const {
  return Ask([](const std::string& p) { return os::IsRegularFile(p); }, path);
}

bool DiskFiles::IsDirectory(const std::string& path) const {
  return Ask([](const std::string& p) { return os::IsDirectory(p); }, path);
}

std::vector<std::string> DiskFiles::List(const std::string& path) const {
  std::vector<std::string> names;
  const auto entries =
      os::ListDirectory(os::IsDirectory(path) ? path : NormalizePath(path));
  if (!entries.ok()) return names;
  for (const os::DirectoryEntry& entry : entries.value()) names.push_back(entry.name);
  return names;
}

void MemoryFiles::Add(std::string_view path, std::string text) {
  std::string name = NormalizePath(path);
  for (size_t slash = name.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : name.rfind('/', slash - 1)) {
    directories_.insert(name.substr(0, slash == 0 ? 1 : slash));
  }
  files_.insert_or_assign(std::move(name), std::move(text));
}

Result<std::string> MemoryFiles::Read(const std::string& path) const {
  const auto found = files_.find(NormalizePath(path));
  if (found == files_.end()) return NotFound(path);
  return found->second;
}

bool MemoryFiles::IsFile(const std::string& path) const {
  return files_.contains(NormalizePath(path));
}

bool MemoryFiles::IsDirectory(const std::string& path) const {
  return directories_.contains(NormalizePath(path));
}

std::vector<std::string> MemoryFiles::List(const std::string& path) const {
  std::string prefix = NormalizePath(path);
  if (prefix != "/") prefix += '/';
  std::set<std::string> names;
  for (auto it = files_.lower_bound(prefix);
       it != files_.end() && it->first.starts_with(prefix); ++it) {
    const std::string_view rest = std::string_view(it->first).substr(prefix.size());
    names.emplace(rest.substr(0, rest.find('/')));
  }
  return {names.begin(), names.end()};
}

}  // namespace ridgeline::config
