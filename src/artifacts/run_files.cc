#include "artifacts/run_files.h"

#include <algorithm>

#include "artifacts/run_dir.h"
#include "os/files.h"

namespace ridgeline::artifacts {

namespace fs = std::filesystem;
namespace {

// metrics.json has about 100 kB. Reading more than this per run is not a listing.
constexpr int64_t kOwnFileBytesMax = 64 << 20;

}  // namespace

bool IsNeverSearched(std::string_view name) {
  return name.starts_with('.') || name == "node_modules";
}

bool IsRun(const fs::path& directory) {
  return os::Exists(artifacts::RunDir(directory).manifest());
}

std::optional<RunAndRest> FindRun(const fs::path& root,
                                  std::span<const std::string> parts) {
  fs::path directory = root;
  for (size_t i = 0;; ++i) {
    if (IsRun(directory)) return RunAndRest{directory, parts.subspan(i)};
    if (i == parts.size() || IsNeverSearched(parts[i])) return std::nullopt;
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

Result<std::string> ReadOwnFile(const fs::path& run, const fs::path& file) {
  const std::string name = file.filename();
  const auto found = FindFile(run, std::span(&name, 1));
  if (!found) return Error(ErrorCode::kNotFound, name + ": not a file of the run");
  RIDGELINE_TRY(const int64_t size, os::FileSize(*found));
  if (size > kOwnFileBytesMax) {
    return Error(ErrorCode::kIo, name + ": larger than 64 MiB");
  }
  return os::ReadFile(*found);
}

}  // namespace ridgeline::artifacts
