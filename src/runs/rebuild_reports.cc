#include "runs/rebuild_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "artifacts/manifest.h"
#include "artifacts/run_state.h"
#include "base/plural.h"
#include "base/version.h"
#include "os/files.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using artifacts::Manifest;
using artifacts::RunDir;
using artifacts::StageRecord;
using artifacts::State;

constexpr const char* kStages[] = {"static_analysis", "torch_profiler",
                                   "direct_inference", "nsys", "ncu"};
constexpr size_t kNamedFiles = 3;

// All files at or below `directory`, relative to the run.
void AddFiles(const fs::path& directory, const fs::path& root, size_t level,
              std::vector<std::string>& files) {
  constexpr size_t kMaxLevels = 8;
  const auto entries = os::ListDirectory(directory);
  if (!entries.ok() || level > kMaxLevels) return;
  for (const os::DirectoryEntry& entry : entries.value()) {
    const fs::path path = directory / entry.name;
    if (entry.kind == os::FileKind::kRegular) {
      files.push_back(path.lexically_relative(root).string());
    } else if (entry.kind == os::FileKind::kDirectory && !os::IsLink(path)) {
      AddFiles(path, root, level + 1, files);
    }
  }
}

// A manifest derived from the directories alone; empty if they do not look like a run.
std::optional<Manifest> ManifestFromDirectories(const RunDir& run_dir,
                                                const std::string& reason) {
  const bool has_own_files =
      os::Exists(run_dir.config()) || os::Exists(run_dir.environment());
  Manifest manifest;
  manifest.ridgeline_version = Version();
  manifest.run_id = run_dir.id();
  manifest.directory = run_dir.root().string();
  manifest.state = State::kInterrupted;
  manifest.reason = reason + "; stages were found by their directories";
  for (const char* const name : kStages) {
    if (!os::IsDirectory(run_dir.stage(name))) continue;
    StageRecord stage;
    stage.name = name;
    stage.directory = name;
    stage.state = State::kDone;  // Otherwise there would be no directory.
    stage.notes = {"found without manifest.json: outcome, commands and times unknown"};
    AddFiles(run_dir.stage(name), run_dir.root(), 0, stage.artifacts);
    manifest.stages.push_back(std::move(stage));
  }
  if (!has_own_files || manifest.stages.empty()) return std::nullopt;
  return manifest;
}

Result<Manifest> ReadManifest(const RunDir& run_dir, std::vector<std::string>& warnings) {
  Result<Manifest> manifest = artifacts::ReadManifestOf(run_dir);
  if (manifest.ok()) {
    const State state = manifest.value().state;
    if (state != State::kRunning && state != State::kPending) return manifest;
    return Error(ErrorCode::kConfig,
                 run_dir.root().string() + ": the run has not finished");
  }
  const Error& error = manifest.error();
  const bool is_missing = error.code() == ErrorCode::kNotFound;
  if (!is_missing && error.code() != ErrorCode::kParse) return manifest;
  std::optional<Manifest> found = ManifestFromDirectories(
      run_dir, is_missing ? "manifest.json is missing" : "manifest.json is damaged");
  if (!found && is_missing) {
    return Error(
        ErrorCode::kConfig,
        run_dir.root().string() + " is not a run directory (" + error.message() +
            ")\nhint: name the directory of one run (it has manifest.json) or sweep "
            "(sweep.json); `ridgeline serve DIR` lists the runs below DIR");
  }
  if (!found) return manifest;
  warnings.push_back(
      fmt::format("{}; stages were found by their directories: outcomes, "
                  "commands and times are unknown",
                  error.message()));
  return *std::move(found);
}

// "nsys: 2 of 12 artifacts are missing: run.sqlite, cmd.txt"
std::string MissingArtifacts(const StageRecord& stage, const RunDir& run_dir) {
  if (!stage.artifacts.empty() && !os::IsDirectory(run_dir.stage(stage.name))) {
    return fmt::format("{}: the stage's directory is missing, with {}", stage.name,
                       Plural(stage.artifacts.size(), "artifact"));
  }
  std::vector<std::string> missing;
  for (const std::string& artifact : stage.artifacts) {
    if (!os::Exists(run_dir.root() / artifact)) {
      missing.push_back(fs::path(artifact).lexically_relative(stage.name).string());
    }
  }
  if (missing.empty()) return "";
  const size_t count = missing.size();
  missing.resize(std::min(kNamedFiles, count));
  return fmt::format("{}: {} {} missing: {}{}", stage.name,
                     PartOf(count, stage.artifacts.size(), "artifact"),
                     count == 1 ? "is" : "are", fmt::join(missing, ", "),
                     count > kNamedFiles ? ", ..." : "");
}

void CheckFiles(const Manifest& manifest, const RunDir& run_dir,
                std::vector<std::string>& warnings) {
  for (const fs::path& path : {run_dir.config(), run_dir.environment()}) {
    if (!os::Exists(path)) warnings.push_back(path.filename().string() + " is missing");
  }
  for (const StageRecord& stage : manifest.stages) {
    const std::string missing = MissingArtifacts(stage, run_dir);
    if (!missing.empty()) warnings.push_back(missing);
  }
}

bool IsDatabase(const fs::path& path) {
  constexpr std::string_view kBegin("SQLite format 3\0", 16);
  std::string begin;
  // For an unreadable file `begin` stays empty.
  static_cast<void>(os::ForEachBlock(path, [&](std::string_view block) {
    if (begin.empty()) begin = block.substr(0, kBegin.size());
  }));
  return begin == kBegin;
}

using Notes = std::map<std::string, std::vector<std::string>>;

Notes NotesOf(const Manifest& manifest) {
  Notes notes;
  for (const StageRecord& stage : manifest.stages) notes[stage.name] = stage.notes;
  return notes;
}

// Notes added while reading the artifacts.
std::vector<std::string> NewNotes(const Manifest& manifest, const Notes& before) {
  std::vector<std::string> added;
  for (const StageRecord& stage : manifest.stages) {
    const std::vector<std::string>& known = before.at(stage.name);
    for (const std::string& note : stage.notes) {
      if (std::find(known.begin(), known.end(), note) == known.end()) {
        added.push_back(stage.name + ": " + note);
      }
    }
  }
  return added;
}

// Moves the existing reports to earlier_reports/, unless that exists.
Status KeepEarlier(const RunDir& run_dir, std::vector<std::string>& warnings) {
  const fs::path place = run_dir.earlier_reports();
  if (!os::Exists(run_dir.metrics_json()) || os::Exists(place)) return Ok();
  RIDGELINE_RETURN_IF_ERROR(os::CreatePrivateDirectory(place));
  for (const fs::path& path :
       {run_dir.results(), run_dir.metrics_json(), run_dir.report_html(),
        run_dir.report_markdown(), run_dir.kernels_markdown(),
        run_dir.stakeholder_summary()}) {
    if (!os::Exists(path)) continue;
    RIDGELINE_RETURN_IF_ERROR(run_dir.owned().Move(path, place / path.filename()));
  }
  warnings.push_back("the reports before this one are kept in " +
                     place.filename().string() + "/");
  return Ok();
}

}  // namespace

Result<RebuiltReports> RebuildReports(const RunDir& run_dir) {
  RebuiltReports rebuilt;
  RIDGELINE_TRY(Manifest manifest, ReadManifest(run_dir, rebuilt.warnings));
  CheckFiles(manifest, run_dir, rebuilt.warnings);
  if (os::Exists(run_dir.results()) && !IsDatabase(run_dir.results())) {
    rebuilt.warnings.emplace_back("results.sqlite is not a database; it is replaced");
  }
  const Notes before = NotesOf(manifest);
  RunProfiles profiles;
  const auto check = [&]() -> Status {
    const std::vector<std::string> added = NewNotes(manifest, before);
    rebuilt.warnings.insert(rebuilt.warnings.end(), added.begin(), added.end());
    const bool is_less = std::any_of(
        added.begin(), added.end(),
        [](const std::string& note) { return note.find(kNotInResults) != note.npos; });
    return is_less ? KeepEarlier(run_dir, rebuilt.warnings) : Ok();
  };
  RIDGELINE_TRY(rebuilt.summary, WriteReports(manifest, run_dir, profiles, check));
  return rebuilt;
}

}  // namespace ridgeline::runs
