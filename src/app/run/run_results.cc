#include "app/run/run_results.h"

#include <string>

#include "analysis/trace_findings.h"
#include "app/import/import_file.h"
#include "app/version.h"
#include "importers/model_metrics.h"
#include "os/files.h"
#include "results/result_store.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

// A file of a stage that has rows, and who reads it. Its name in the store begins with
// the stage's, whatever directory the run is in.
struct Readable {
  const char* stage;
  const char* file;
  Status (*add)(const fs::path& path, const std::string& name,
                results::ResultStore& store);
};

Status AddMetrics(const fs::path& path, const std::string& name,
                  results::ResultStore& store) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(path));
  return importers::ImportModelMetrics(text,
                                       {.file = name,
                                        .format = {},
                                        .tool = "ridgeline-model",
                                        .file_bytes = static_cast<int64_t>(text.size())},
                                       store);
}

Status AddTrace(const fs::path& path, const std::string& name,
                results::ResultStore& store) {
  RIDGELINE_TRY(const ImportedTrace trace, ImportTrace(path));
  analysis::AddToStore(trace.rows, trace.findings,
                       {.file = name, .format = {}, .file_bytes = trace.file_bytes},
                       analysis::WithEvents::kYes, store);
  return Ok();
}

constexpr Readable kReadable[] = {
    {"torch_profiler", "metrics.json", AddMetrics},
    {"torch_profiler", "trace.json.gz", AddTrace},
    {"direct_inference", "metrics.json", AddMetrics},
};

// direct_inference of a program has metrics of another kind: whole runs.
bool IsOfAModel(const artifacts::RunDir& run_dir, const Readable& readable) {
  if (std::string_view(readable.file) != "metrics.json") return true;
  const auto text = os::ReadFile(run_dir.stage(readable.stage) / readable.file);
  return text.ok() && text.value().find("\"samples\"") != std::string::npos;
}

}  // namespace

Status WriteResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir) {
  results::ResultStore store;
  for (const Readable& readable : kReadable) {
    artifacts::StageRecord* const stage = manifest.Find(readable.stage);
    if (stage == nullptr || stage->state != artifacts::State::kDone) continue;
    const fs::path path = run_dir.stage(readable.stage) / readable.file;
    if (!os::Exists(path) || !IsOfAModel(run_dir, readable)) continue;
    const std::string name = std::string(readable.stage) + "/" + readable.file;
    const Status added = readable.add(path, name, store);
    if (!added.ok()) {
      stage->notes.push_back("not in results.sqlite: " + added.error().message());
    }
  }
  if (store.sources.empty()) return Ok();
  RIDGELINE_TRY(const std::string bytes,
                results::ToSqlite(store, "ridgeline " + std::string(Version())));
  return os::WriteFileAtomically(run_dir.results(), bytes);
}

}  // namespace ridgeline::app
