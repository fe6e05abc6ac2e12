#include "artifacts/find_runs.h"

#include "artifacts/run_files.h"
#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

class Search {
 public:
  Search(fs::path root, const SearchLimits& limits)
      : root_(std::move(root)), limits_(limits) {}

  void Visit(const fs::path& relative, int depth) {
    if (seen_ == limits_.directories) return;
    if (++seen_ == limits_.directories) {
      found_.problems.push_back(
          "more than " + std::to_string(limits_.directories) +
          " directories; the search stopped early: serve a subdirectory instead");
    }
    const fs::path directory = root_ / relative;
    if (IsRun(directory)) {
      found_.paths.push_back(relative.empty() ? "." : relative.string());
      return;
    }
    if (depth == limits_.depth) return;
    const Result<std::vector<os::DirectoryEntry>> entries = os::ListDirectory(directory);
    if (!entries.ok()) {
      found_.problems.push_back(entries.error().message());
      return;
    }
    for (const os::DirectoryEntry& entry : entries.value()) {
      if (entry.kind != os::FileKind::kDirectory || IsNeverSearched(entry.name) ||
          os::IsLink(directory / entry.name)) {
        continue;
      }
      Visit(relative / entry.name, depth + 1);
    }
  }

  FoundRuns Take() { return std::move(found_); }

 private:
  fs::path root_;
  SearchLimits limits_;
  int seen_ = 0;
  FoundRuns found_;
};

}  // namespace

FoundRuns FindRuns(const fs::path& root, const SearchLimits& limits) {
  Search search(root, limits);
  search.Visit({}, 0);
  return search.Take();
}

}  // namespace ridgeline::artifacts
