#include "model_io/datasets/find_samples.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/plural.h"
#include "base/utf8.h"
#include "model_io/datasets/glob.h"
#include "os/files.h"

namespace ridgeline::datasets {
namespace {

namespace fs = std::filesystem;

// OmniDocBench is distributed as OmniDocBench.json and images/, in some places with
// images.zip instead of the folder.
std::string HintAboutZip(const fs::path& root) {
  const bool packed =
      os::IsRegularFile(root / "images.zip") && !os::IsDirectory(root / "images");
  if (!packed) return "";
  return fmt::format("; the pages are still in {}: unzip it there",
                     (root / "images.zip").string());
}

// "conf/../datasets" is "datasets", unless `conf` is a link to another place.
fs::path WithoutDots(const fs::path& path) {
  fs::path normal = path.lexically_normal();
  const Result<fs::path> real = os::RealPath(path);
  const Result<fs::path> same = os::RealPath(normal);
  return real.ok() && same.ok() && real.value() == same.value() ? normal : path;
}

Result<fs::path> FindRoot(const DatasetOptions& options) {
  fs::path root = options.working_directory / options.root;
  if (os::IsDirectory(root)) return WithoutDots(root);
  return Error(
      ErrorCode::kNotFound,
      fmt::format("{}: {}; set dataset.root to the directory with the pages",
                  root.string(),
                  os::Exists(root) ? "Not a directory" : "No such file or directory"));
}

// ---- With a list

Result<fs::path> FindList(const fs::path& list, const fs::path& root,
                          const fs::path& working_directory) {
  if (list.is_absolute()) return list;
  const fs::path below_root = root / list;
  if (os::IsRegularFile(below_root)) return below_root;
  const fs::path here = working_directory / list;
  if (os::IsRegularFile(here)) return here;
  return Error(ErrorCode::kNotFound,
               fmt::format("dataset.subset_filelist '{}': neither {} nor {} exists",
                           list.string(), below_root.string(), here.string()));
}

bool IsBlankLine(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

// A page may have such a name, too.
bool IsComment(std::string_view line, const fs::path& root) {
  const size_t first = line.find_first_not_of(" \t");
  return line[first] == '#' && !os::IsRegularFile(root / line);
}

std::vector<std::string> Lines(std::string_view text) {
  // Added by Windows.
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!IsBlankLine(line)) lines.emplace_back(line);
  }
  return lines;
}

Error MissingPages(const fs::path& list, const std::vector<std::string>& missing,
                   size_t listed, const fs::path& root) {
  constexpr size_t kShown = 20;
  std::string message = fmt::format("{}: {} not found in {}{}", list.string(),
                                    PartOf(missing.size(), listed, "page"), root.string(),
                                    HintAboutZip(root));
  for (size_t i = 0; i < std::min(missing.size(), kShown); ++i) {
    message += fmt::format("\n  '{}'", missing[i]);
  }
  if (missing.size() > kShown) {
    message += fmt::format("\n  and {} more", missing.size() - kShown);
  }
  return {ErrorCode::kNotFound, std::move(message)};
}

Result<std::vector<fs::path>> ListedPages(const std::string& list, const fs::path& root,
                                          const fs::path& working_directory) {
  RIDGELINE_TRY(const fs::path path, FindList(list, root, working_directory));
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  std::vector<std::string> lines = Lines(text);
  std::erase_if(lines, [&root](const auto& line) { return IsComment(line, root); });
  if (lines.empty()) {
    return Error(ErrorCode::kConfig, fmt::format("{}: lists no pages", path.string()));
  }
  std::vector<fs::path> pages;
  std::vector<std::string> missing;
  for (const std::string& line : lines) {
    fs::path page = root / line;  // Just `line` if it is absolute.
    if (!os::IsRegularFile(page)) missing.push_back(line);
    pages.push_back(std::move(page));
  }
  if (!missing.empty()) return MissingPages(path, missing, lines.size(), root);
  return pages;
}

// ---- Without a list

Result<std::vector<fs::path>> MatchingPages(const std::vector<std::string>& patterns,
                                            const fs::path& root) {
  if (patterns.empty()) {
    return Error(ErrorCode::kConfig, "dataset: set subset_filelist or fallback_patterns");
  }
  std::vector<std::string> names;
  for (const std::string& pattern : patterns) {
    RIDGELINE_TRY(const std::vector<std::string> found, FilesMatching(root, pattern));
    names.insert(names.end(), found.begin(), found.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("{}: no pages found, looked for {}{}", root.string(),
                             fmt::join(patterns, ", "), HintAboutZip(root)));
  }
  std::vector<fs::path> pages;
  pages.reserve(names.size());
  for (const std::string& name : names) pages.push_back(root / name);
  return pages;
}

}  // namespace

Result<std::vector<fs::path>> FindPages(const DatasetOptions& options) {
  RIDGELINE_TRY(const fs::path root, FindRoot(options));
  if (!options.subset_filelist) return MatchingPages(options.fallback_patterns, root);
  return ListedPages(*options.subset_filelist, root, options.working_directory);
}

}  // namespace ridgeline::datasets
