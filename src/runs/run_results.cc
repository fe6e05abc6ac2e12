#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/region_roofline.h"
#include "base/version.h"
#include "models/measured_run.h"
#include "os/files.h"
#include "profiles/model_metrics.h"
#include "profiles/static_compute.h"
#include "results/result_store.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using Pass = results::PhaseSample::Pass;

// One file of a stage to be added to the store.
struct StageFile {
  const artifacts::RunDir& run_dir;
  artifacts::StageRecord& stage;
  RunProfiles& profiles;
  std::string file;
  size_t timeline_blocks = 0;

  fs::path path() const { return run_dir.stage(stage.name) / file; }
  // Its name in the store, independent of the run directory.
  std::string name() const { return stage.name + "/" + file; }
};

Status AddMetrics(const StageFile& file, Pass pass, Collected& collected) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(file.path()));
  return profiles::ImportModelMetrics(text,
                                      {.file = file.name(),
                                       .format = {},
                                       .tool = "ridgeline-model",
                                       .file_bytes = static_cast<int64_t>(text.size())},
                                      pass, collected.store);
}

Status AddCosts(const StageFile& file, Collected& collected) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(file.path()));
  return profiles::ImportStaticCosts(text,
                                     {.file = file.name(),
                                      .format = {},
                                      .tool = "ridgeline",
                                      .file_bytes = static_cast<int64_t>(text.size())},
                                     collected.store);
}

Status AddUnprofiled(const StageFile& file, Collected& collected) {
  return AddMetrics(file, Pass::kUnprofiled, collected);
}

Status AddProfiled(const StageFile& file, Collected& collected) {
  return AddMetrics(file, Pass::kProfiled, collected);
}

// Adds the roofline of the regions of the last source of `store`. Regions captured only
// in part are skipped; returns a note that lists them, or an empty string.
std::string AddRegionRooflines(const analysis::MeasuredRun& run,
                               results::ResultStore& store) {
  const auto source = static_cast<results::SourceId>(store.sources.size() - 1);
  std::vector<std::string> partial;
  for (const analysis::RegionCost& cost : run.regions) {
    const auto region = std::find_if(
        store.regions.begin(), store.regions.end(), [&](const auto& candidate) {
          return candidate.source == source && candidate.path == cost.path &&
                 candidate.kind == "push_pop";
        });
    if (region == store.regions.end()) continue;
    if (region->instances != cost.instances) {
      partial.push_back(
          fmt::format("{} ({} of {})", cost.path, region->instances, cost.instances));
    } else if (region->cpu_total_ns > 0) {
      store.region_rooflines.push_back(
          analysis::RegionRooflineOf(*region, cost.cost, run.ceilings));
    }
  }
  if (partial.empty()) return "";
  return fmt::format("no roofline for regions captured only in part: {}",
                     fmt::join(partial, ", "));
}

// Adds the roofline of each region; needs the model's token counts to know its FLOPs.
void AddRooflines(const StageFile& file, results::ResultStore& store) {
  // run.decode.1.sqlite belongs to run.decode.metrics.json or run.metrics.json.
  fs::path stem = fs::path(file.file).stem();
  while (!os::Exists(file.run_dir.stage(file.stage.name) /
                     (stem.string() + ".metrics.json"))) {
    if (!stem.has_extension()) return;
    stem = stem.stem();
  }
  const auto measured = models::ReadMeasuredRun(
      file.run_dir.root(), fs::path(file.stage.name) / (stem.string() + ".metrics.json"));
  if (!measured.ok()) {
    // Unknown ceilings and a missing closed form have already been noted.
    const ErrorCode code = measured.error().code();
    if (code == ErrorCode::kUnsupported || code == ErrorCode::kNotFound) return;
    file.stage.AddNote("no roofline: " + measured.error().message());
    return;
  }
  const std::string partial = AddRegionRooflines(measured.value(), store);
  if (!partial.empty()) file.stage.AddNote(file.name() + ": " + partial);
}

Status AddAny(const StageFile& file, Collected& collected) {
  RIDGELINE_TRY(analysis::AnalyzedProfile profile, file.profiles.Take(file.path()));
  AddProfile(std::move(profile), {file.name(), file.timeline_blocks}, collected);
  return Ok();
}

Status AddExport(const StageFile& file, Collected& collected) {
  RIDGELINE_RETURN_IF_ERROR(AddAny(file, collected));
  AddRooflines(file, collected.store);
  return Ok();
}

// Which files of a stage have rows, and their readers.
struct Readable {
  const char* stage;
  const char* first;  // Prefix of the name...
  const char* last;   // ...and its suffix.
  Status (*add)(const StageFile& file, Collected& collected);
  bool has_timeline = false;
};

constexpr Readable kReadable[] = {
    {"static_analysis", "static_compute", ".json", AddCosts},
    {"torch_profiler", "metrics", ".json", AddUnprofiled},
    {"torch_profiler", "trace", ".json.gz", AddAny, true},
    {"direct_inference", "metrics", ".json", AddUnprofiled},
    {"nsys", "run", ".metrics.json", AddProfiled},
    {"nsys", "run", ".sqlite", AddExport, true},
    {"ncu", "run", ".ncu-rep", AddAny},
};

bool IsNamed(std::string_view name, const Readable& readable) {
  return name.starts_with(readable.first) && name.ends_with(readable.last);
}

// Files of a stage that have a reader, in the order of the artifacts.
std::vector<StageFile> FilesOf(const Readable& readable, artifacts::Manifest& manifest,
                               const artifacts::RunDir& run_dir, RunProfiles& profiles) {
  std::vector<StageFile> files;
  artifacts::StageRecord* const stage = manifest.Find(readable.stage);
  if (stage == nullptr || stage->state != artifacts::State::kDone) return files;
  for (const std::string& artifact : stage->artifacts) {
    const fs::path path =
        artifact;  // "nsys/run.sqlite", "ncu/regions/decode/run.ncu-rep"
    if (!IsNamed(path.filename().string(), readable)) continue;
    files.push_back(
        {run_dir, *stage, profiles, path.lexically_relative(stage->name).string()});
  }
  return files;
}

}  // namespace

Collected CollectResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir,
                         RunProfiles& profiles) {
  size_t timelines = 0;
  for (const Readable& readable : kReadable) {
    if (readable.has_timeline)
      timelines += FilesOf(readable, manifest, run_dir, profiles).size();
  }
  Collected collected;
  for (const Readable& readable : kReadable) {
    for (StageFile& file : FilesOf(readable, manifest, run_dir, profiles)) {
      if (readable.has_timeline) {
        file.timeline_blocks = report::kMaxTimelineBlocks / timelines;
      }
      const Status added = readable.add(file, collected);
      if (added.ok()) continue;
      file.stage.AddNote(std::string(kNotInResults) + added.error().message());
    }
  }
  return collected;
}

Status WriteResults(const results::ResultStore& store, const artifacts::RunDir& run_dir) {
  if (store.sources.empty()) return Ok();
  RIDGELINE_TRY(const std::string bytes,
                results::ToSqlite(store, "ridgeline " + std::string(Version())));
  return os::WriteFileAtomically(run_dir.results(), bytes);
}

}  // namespace ridgeline::runs
