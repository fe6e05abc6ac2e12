#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "hardware/system_files.h"
#include "hardware/tools.h"
#include "os/files.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string_view tool;
  const char* pattern;
};

constexpr Place kPlaces[] = {
    {"nsys", "/opt/nvidia/nsight-systems/*/bin/nsys"},
    {"nsys", "/opt/nvidia/nsight-systems-cli/*/bin/nsys"},
    {"nsys", "/usr/local/cuda*/bin/nsys"},
    {"nsys", "/usr/lib/nsight-systems/bin/nsys"},
    {"ncu", "/opt/nvidia/nsight-compute/*/ncu"},
    {"ncu", "/usr/local/cuda*/bin/ncu"},
    {"ncu", "/usr/lib/nsight-compute/ncu"},
    {"git", "/usr/bin/git"},
    {"nvidia-smi", "/usr/bin/nvidia-smi"},
    {"nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"},
    {"sbatch", "/usr/bin/sbatch"},
    {"sbatch", "/opt/slurm/bin/sbatch"},
};

// At most one '*' per path component.
bool Fits(std::string_view part, std::string_view name) {
  const size_t star = part.find('*');
  if (star == std::string_view::npos) return part == name;
  const std::string_view head = part.substr(0, star);
  const std::string_view tail = part.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) &&
         name.ends_with(tail);
}

// Consumes the leading digits of `text`; empty if there are none.
std::optional<int64_t> TakeNumber(std::string_view& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = ParseInteger(text.substr(0, end));
  if (number) text.remove_prefix(end);
  return number;
}

// "2023.9" is older than "2023.10": runs of digits are compared numerically.
bool IsOlder(const fs::path& left, const fs::path& right) {
  std::string_view a = left.native();
  std::string_view b = right.native();
  while (!a.empty() && !b.empty()) {
    const auto a_number = TakeNumber(a);
    const auto b_number = TakeNumber(b);
    if (a_number != b_number) return a_number < b_number;
    if (a_number) continue;
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

}  // namespace

std::vector<fs::path> MatchPaths(std::string_view pattern, const SystemFiles& files) {
  std::vector<std::string> matches = {""};
  while (!pattern.empty()) {
    pattern.remove_prefix(1);  // The slash.
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    std::vector<std::string> longer;
    for (const std::string& match : matches) {
      if (part.find('*') == std::string_view::npos) {
        longer.push_back(match + "/" + std::string(part));
        continue;
      }
      for (const std::string& name : files.List(match + "/")) {
        if (Fits(part, name)) longer.push_back(match + "/" + name);
      }
    }
    matches = std::move(longer);
    pattern.remove_prefix(part.size());
  }
  std::vector<fs::path> paths;
  for (const std::string& match : matches) {
    if (os::IsRegularFile(files.At(match))) paths.emplace_back(match);
  }
  std::ranges::sort(paths, IsOlder);
  return paths;
}

std::vector<fs::path> FindOutsideOfPath(std::string_view tool, const SystemFiles& files) {
  std::vector<fs::path> found;
  for (const Place& place : kPlaces) {
    if (place.tool != tool) continue;
    std::vector<fs::path> matches = MatchPaths(place.pattern, files);
    found.insert(found.end(), matches.rbegin(), matches.rend());
  }
  return found;
}

}  // namespace ridgeline::hardware
