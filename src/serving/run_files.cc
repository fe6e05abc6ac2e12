#include "serving/run_files.h"

#include <algorithm>

#include "artifacts/run_dir.h"
#include "os/files.h"
#include "os/link.h"

namespace ridgeline::serving {

namespace fs = std::filesystem;

bool IsRun(const fs::path& directory) {
  return os::Exists(artifacts::RunDir(directory).manifest());
}

std::optional<RunAndRest> FindRun(const fs::path& root,
                                  std::span<const std::string> parts) {
  fs::path directory = root;
  for (size_t i = 0;; ++i) {
    if (IsRun(directory)) return RunAndRest{directory, parts.subspan(i)};
    if (i == parts.size()) return std::nullopt;
    directory /= parts[i];
    if (os::IsLink(directory) || !os::IsDirectory(directory)) return std::nullopt;
  }
}

std::optional<fs::path> FindFile(const fs::path& run,
                                 std::span<const std::string> parts) {
  if (parts.empty()) return std::nullopt;
  fs::path wanted = run;
  for (const std::string& part : parts) wanted /= part;
  const Result<fs::path> file = os::RealPath(wanted);
  if (!file.ok() || !os::IsRegularFile(file.value())) return std::nullopt;
  const auto [end_of_run, rest] =
      std::mismatch(run.begin(), run.end(), file.value().begin(), file.value().end());
  if (end_of_run != run.end()) return std::nullopt;
  return file.value();
}

}  // namespace ridgeline::serving
