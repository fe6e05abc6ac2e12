#include "app/run/run_results.h"

#include <string>

#include "analysis/ncu_findings.h"
#include "analysis/nsys_findings.h"
#include "analysis/trace_findings.h"
#include "app/import/import_file.h"
#include "app/import/ncu_file.h"
#include "app/import/nsys_file.h"
#include "app/run/region_roofs.h"
#include "app/version.h"
#include "estimates/measured_run.h"
#include "importers/model_metrics.h"
#include "os/files.h"
#include "results/result_store.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using Pass = results::PhaseSample::Pass;

// Single activities are for zooming in; a file of more of them than this is left to nsys.
constexpr size_t kMostActivities = 1'000'000;

// One file of a stage on its way into the store.
struct StageFile {
  const artifacts::RunDir& run_dir;
  artifacts::StageRecord& stage;
  std::string file;

  fs::path path() const { return run_dir.stage(stage.name) / file; }
  // As the store calls it, whatever directory the run is in.
  std::string name() const { return stage.name + "/" + file; }
};

Status AddMetrics(const StageFile& file, Pass pass, results::ResultStore& store) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(file.path()));
  // direct_inference of a program has metrics of another kind: whole runs.
  if (text.find("\"samples\"") == std::string::npos) return Ok();
  return importers::ImportModelMetrics(text,
                                       {.file = file.name(),
                                        .format = {},
                                        .tool = "ridgeline-model",
                                        .file_bytes = static_cast<int64_t>(text.size())},
                                       pass, store);
}

Status AddUnprofiled(const StageFile& file, results::ResultStore& store) {
  return AddMetrics(file, Pass::kUnprofiled, store);
}

Status AddProfiled(const StageFile& file, results::ResultStore& store) {
  return AddMetrics(file, Pass::kProfiled, store);
}

Status AddTrace(const StageFile& file, results::ResultStore& store) {
  RIDGELINE_TRY(const ImportedTrace trace, ImportTrace(file.path()));
  analysis::AddToStore(
      trace.rows, trace.findings,
      {.file = file.name(), .format = {}, .file_bytes = trace.file_bytes},
      analysis::WithEvents::kYes, store);
  return Ok();
}

// Where the model's own numbers of tokens are known, what its regions did is known, too.
void HoldAgainstRoofs(const StageFile& file, results::ResultStore& store) {
  // run.decode.1.sqlite belongs to run.decode.metrics.json or run.metrics.json.
  fs::path stem = fs::path(file.file).stem();
  while (!os::Exists(file.run_dir.stage(file.stage.name) /
                     (stem.string() + ".metrics.json"))) {
    if (!stem.has_extension()) return;
    stem = stem.stem();
  }
  const auto measured = estimates::ReadMeasuredRun(
      file.run_dir.root(), fs::path(file.stage.name) / (stem.string() + ".metrics.json"));
  if (!measured.ok()) {
    // Roofs that are not known, and no closed form at all, have been told already.
    const ErrorCode code = measured.error().code();
    if (code == ErrorCode::kUnsupported || code == ErrorCode::kNotFound) return;
    file.stage.AddNote("no distance to the roof: " + measured.error().message());
    return;
  }
  const std::string partial = AddRegionRoofs(measured.value(), store);
  if (!partial.empty()) file.stage.AddNote(file.name() + ": " + partial);
}

Status AddExport(const StageFile& file, results::ResultStore& store) {
  RIDGELINE_TRY(const ImportedExport imported, ImportExport(file.path()));
  const bool is_small = imported.rows.gpu_ops.size() <= kMostActivities;
  analysis::AddToStore(
      imported.rows, imported.findings,
      {.file = file.name(), .format = {}, .file_bytes = imported.file_bytes},
      is_small ? analysis::WithEvents::kYes : analysis::WithEvents::kNo, store);
  HoldAgainstRoofs(file, store);
  return Ok();
}

Status AddCounters(const StageFile& file, results::ResultStore& store) {
  RIDGELINE_TRY(const ImportedNcu imported, ImportNcu(file.path()));
  analysis::AddToStore(
      imported.rows, imported.findings,
      {.file = file.name(), .format = {}, .file_bytes = imported.file_bytes}, store);
  return Ok();
}

// Which files of a stage have rows, and who reads them.
struct Readable {
  const char* stage;
  const char* first;  // The name begins with this...
  const char* last;   // ...and ends with this.
  Status (*add)(const StageFile& file, results::ResultStore& store);
};

constexpr Readable kReadable[] = {
    {"torch_profiler", "metrics", ".json", AddUnprofiled},
    {"torch_profiler", "trace", ".json.gz", AddTrace},
    {"direct_inference", "metrics", ".json", AddUnprofiled},
    {"nsys", "run", ".metrics.json", AddProfiled},
    {"nsys", "run", ".sqlite", AddExport},
    {"ncu", "run", ".ncu-rep", AddCounters},
};

bool IsNamed(std::string_view name, const Readable& readable) {
  return name.starts_with(readable.first) && name.ends_with(readable.last);
}

void AddFiles(const Readable& readable, artifacts::StageRecord& stage,
              const artifacts::RunDir& run_dir, results::ResultStore& store) {
  for (const std::string& artifact : stage.artifacts) {
    const fs::path path =
        artifact;  // "nsys/run.sqlite", "ncu/regions/decode/run.ncu-rep"
    if (!IsNamed(path.filename().string(), readable)) continue;
    const StageFile file = {run_dir, stage, path.lexically_relative(stage.name).string()};
    const Status added = readable.add(file, store);
    if (added.ok()) continue;
    stage.AddNote("not in results.sqlite: " + added.error().message());
  }
}

}  // namespace

results::ResultStore CollectResults(artifacts::Manifest& manifest,
                                    const artifacts::RunDir& run_dir) {
  results::ResultStore store;
  for (const Readable& readable : kReadable) {
    artifacts::StageRecord* const stage = manifest.Find(readable.stage);
    if (stage == nullptr || stage->state != artifacts::State::kDone) continue;
    AddFiles(readable, *stage, run_dir, store);
  }
  return store;
}

Status WriteResults(const results::ResultStore& store, const artifacts::RunDir& run_dir) {
  if (store.sources.empty()) return Ok();
  RIDGELINE_TRY(const std::string bytes,
                results::ToSqlite(store, "ridgeline " + std::string(Version())));
  return os::WriteFileAtomically(run_dir.results(), bytes);
}

}  // namespace ridgeline::app
