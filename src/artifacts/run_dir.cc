#include "artifacts/run_dir.h"

#include <fmt/format.h>

#include <vector>

#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

// Without a trailing slash, and with a last component that a number can be appended to.
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

// `directory` and its missing parents, deepest first.
std::vector<fs::path> MissingDirectories(fs::path directory) {
  std::vector<fs::path> missing;
  while (!directory.empty() && !os::Exists(directory)) {
    missing.push_back(directory);
    directory = directory.parent_path();
  }
  return missing;
}

// Removes those that exist; a directory that is not empty is in use.
void RemoveEmpty(const std::vector<fs::path>& directories) {
  for (const fs::path& directory : directories) {
    static_cast<void>(os::RemoveEmptyDirectory(directory));
  }
}

// A killed claim leaves an empty directory.
bool IsInUse(const fs::path& path) {
  if (!os::Exists(path)) return false;
  const auto entries = os::ListDirectory(path);
  return !entries.ok() || !entries.value().empty();
}

// User files whose names a run would use.
std::vector<std::string> FilesInTheWay(const RunDir& run_dir,
                                       const std::vector<std::string>& also_written) {
  std::vector<fs::path> paths = run_dir.OwnFiles();
  for (const std::string& name : also_written) paths.push_back(run_dir.root() / name);
  std::vector<std::string> found;
  for (const fs::path& path : paths) {
    if (IsInUse(path)) found.push_back(path.lexically_relative(run_dir.root()).string());
  }
  return found;
}

// Whether the directory is ours now; false: it belongs to another run.
Result<bool> TryToClaim(const RunDir& run_dir,
                        const std::vector<std::string>& also_written,
                        const std::function<std::string(const RunDir&)>& manifest_json) {
  if (os::Exists(run_dir.manifest())) return false;
  const std::vector<std::string> in_the_way = FilesInTheWay(run_dir, also_written);
  if (!in_the_way.empty()) {
    // Written by a run that has claimed it in the meantime.
    if (os::Exists(run_dir.manifest())) return false;
    return Error(ErrorCode::kConfig,
                 fmt::format("it is not a run (no manifest.json) and contains files "
                             "that a run would overwrite: {}",
                             fmt::join(in_the_way, ", ")));
  }
  RIDGELINE_RETURN_IF_ERROR(os::CreatePrivateDirectory(run_dir.root()));
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(run_dir.scratch()));
  return os::WriteFileExclusively(run_dir.manifest(), manifest_json(run_dir));
}

// Resolves a link to a directory, so that everything recorded about the run stays valid
// without the link.
Result<fs::path> WithoutLink(const fs::path& path) {
  if (!os::IsLink(path)) return path;
  Result<fs::path> target = os::RealPath(path);
  if (!target.ok()) {
    return Error(ErrorCode::kConfig, "it is a symbolic link to a missing directory");
  }
  return target;
}

Error CannotClaim(const fs::path& directory, const Error& reason) {
  return {reason.code() == ErrorCode::kConfig ? ErrorCode::kConfig : ErrorCode::kIo,
          fmt::format("cannot use {} as a run directory: {}; choose a new or empty "
                      "directory with hydra.run.dir=DIR",
                      directory.string(), reason.message())};
}

}  // namespace

std::vector<fs::path> RunDir::OwnFiles() const {
  return {config(),          overrides(),           environment(),
          inputs(),          assumptions(),         piped_input(),
          results(),         report_html(),         stakeholder_summary(),
          metrics_json(),    report_markdown(),     kernels_markdown(),
          efficiency_json(), efficiency_markdown(), ceilings(),
          scratch()};
}

Result<RunDir> ClaimRunDir(
    const fs::path& wanted, const std::vector<std::string>& also_written,
    const std::function<std::string(const RunDir&)>& manifest_json) {
  const Result<fs::path> named = WithName(wanted);
  if (!named.ok()) return CannotClaim(wanted, named.error());

  // Each attempt checks one file; this many runs of the same name do not occur in
  // practice.
  constexpr int kAttempts = 10'000;
  for (int number = 1; number <= kAttempts; ++number) {
    const fs::path numbered = Numbered(named.value(), number);
    const Result<fs::path> root = WithoutLink(numbered);
    if (!root.ok()) return CannotClaim(numbered, root.error());
    const RunDir run_dir(root.value());
    const std::vector<fs::path> missing = MissingDirectories(run_dir.scratch());
    const Result<bool> ours = TryToClaim(run_dir, also_written, manifest_json);
    if (ours.ok() && ours.value()) return run_dir;
    // Another run was faster and uses the directories we created.
    if (ours.ok()) continue;
    RemoveEmpty(missing);
    return CannotClaim(run_dir.root(), ours.error());
  }
  return CannotClaim(
      named.value(),
      Error(ErrorCode::kIo,
            fmt::format("this directory and {} numbered ones belong to other runs",
                        kAttempts - 1)));
}

}  // namespace ridgeline::artifacts
