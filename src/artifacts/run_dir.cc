#include "artifacts/run_dir.h"

#include <fmt/format.h>

#include <vector>

#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

// Without a slash at its end, and with a last part that can be given a number.
Result<fs::path> WithName(const fs::path& path) {
  if (path.empty()) return os::RealPath(".");
  fs::path named = path.lexically_normal();
  if (!named.has_filename() && named.has_relative_path()) named = named.parent_path();
  if (named != "." && named.filename() != "..") return named;
  return os::RealPath(path);
}

fs::path Numbered(const fs::path& path, int number) {
  if (number == 1) return path;
  return fs::path(path) += fmt::format("-{}", number);
}

// `directory` and those above it that do not exist, the lowest first.
std::vector<fs::path> MissingDirectories(fs::path directory) {
  std::vector<fs::path> missing;
  while (!directory.empty() && !os::Exists(directory)) {
    missing.push_back(directory);
    directory = directory.parent_path();
  }
  return missing;
}

// Those that there are; one that is not empty is used by somebody.
void RemoveEmpty(const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories) {
    static_cast<void>(os::RemoveEmptyDirectory(directory));
  }
}

// Whether the directory is ours now; false: it is another run's.
Result<bool> TryToClaim(const RunDir& run_dir,
                        const std::function<std::string(const RunDir&)>& manifest_json) {
  if (os::Exists(run_dir.manifest())) return false;
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(run_dir.scratch()));
  return os::WriteFileExclusively(run_dir.manifest(), manifest_json(run_dir));
}

Error CannotClaim(const fs::path& directory, std::string_view why) {
  return {ErrorCode::kIo,
          fmt::format("cannot make {} a run directory: {}; choose another one with "
                      "hydra.run.dir=DIR",
                      directory.string(), why)};
}

}  // namespace

Result<RunDir> ClaimRunDir(
    const fs::path& wanted,
    const std::function<std::string(const RunDir&)>& manifest_json) {
  const Result<fs::path> named = WithName(wanted);
  if (!named.ok()) return CannotClaim(wanted, named.error().message());

  // Each attempt looks at one file; nobody has so many runs of one name.
  constexpr int kAttempts = 10'000;
  for (int number = 1; number <= kAttempts; ++number) {
    const RunDir run_dir(Numbered(named.value(), number));
    const std::vector<fs::path> missing = MissingDirectories(run_dir.scratch());
    const Result<bool> ours = TryToClaim(run_dir, manifest_json);
    if (ours.ok() && ours.value()) return run_dir;
    // Another run was faster: what we made here, it uses.
    if (ours.ok()) continue;
    RemoveEmpty(missing);
    return CannotClaim(run_dir.root(), ours.error().message());
  }
  return CannotClaim(named.value(), fmt::format("it and {} numbered ones are other runs'",
                                                kAttempts - 1));
}

}  // namespace ridgeline::artifacts
