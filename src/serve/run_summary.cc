#include <algorithm>

#include "artifacts/find_runs.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "artifacts/run_files.h"
#include "artifacts/run_state.h"
#include "serve/headline_cache.h"

namespace ridgeline::serve {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr int kSchemaVersion = 2;

OrderedJson TextOrNull(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson StagesOf(const artifacts::Manifest& manifest) {
  OrderedJson stages = OrderedJson::array();
  for (const artifacts::StageRecord& stage : manifest.stages) {
    stages.push_back({{"name", stage.name},
                      {"state", ToText(stage.state)},
                      {"outcome", TextOrNull(stage.outcome)},
                      {"reason", TextOrNull(stage.reason)}});
  }
  return stages;
}

// A run whose manifest cannot be read has the same keys, without values.
void AddManifest(const artifacts::Manifest* manifest, OrderedJson& run) {
  const artifacts::Manifest none;
  const artifacts::Manifest& from = manifest != nullptr ? *manifest : none;
  run["state"] = manifest != nullptr ? OrderedJson(ToText(from.state)) : nullptr;
  run["reason"] = TextOrNull(from.reason);
  run["parity"] = ToText(from.parity);
  run["workload"] = TextOrNull(from.workload);
  run["host"] = TextOrNull(from.host);
  run["started"] = TextOrNull(from.started);
  run["ended"] = TextOrNull(from.ended);
  run["arguments"] = from.arguments;
  run["stages"] = StagesOf(from);
}

OrderedJson ReportOf(const fs::path& run) {
  for (const std::string name : {"report.html", "report.md"}) {
    if (artifacts::FindFile(run, std::span(&name, 1))) return name;
  }
  return nullptr;
}

}  // namespace

OrderedJson SummaryOfRun(const fs::path& root, const std::string& path,
                         HeadlineCache& cache) {
  const artifacts::RunDir run_dir(path == "." ? root : root / path);
  std::vector<std::string> problems;
  OrderedJson run = {{"id", run_dir.id()}, {"path", path}};
  const Result<std::string> text =
      artifacts::ReadOwnFile(run_dir.root(), run_dir.manifest());
  Result<artifacts::Manifest> manifest =
      text.ok() ? artifacts::ParseManifest(text.value(), "manifest.json")
                : Result<artifacts::Manifest>(text.error());
  if (manifest.ok()) {
    manifest = artifacts::AsItStands(std::move(manifest).value(), run_dir.root());
  }
  if (!manifest.ok()) problems.push_back(manifest.error().message());
  AddManifest(manifest.ok() ? &manifest.value() : nullptr, run);
  const Headlines headlines = cache.Of(run_dir);
  run.update(headlines.values);
  problems.insert(problems.end(), headlines.problems.begin(), headlines.problems.end());
  run["report"] = ReportOf(run_dir.root());
  run["has_report"] = !run["report"].is_null();
  run["problems"] = problems;
  return run;
}

OrderedJson SummaryOfRuns(const fs::path& root, HeadlineCache& cache) {
  const artifacts::FoundRuns found = artifacts::FindRuns(root);
  std::vector<OrderedJson> runs;
  for (const std::string& path : found.paths) {
    runs.push_back(SummaryOfRun(root, path, cache));
  }
  // Times are ISO 8601, mostly from one machine; null (no time) comes last.
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return b["started"] < a["started"];
  });
  return {{"schema_version", kSchemaVersion},
          {"directory", root.string()},
          {"runs", std::move(runs)},
          {"problems", found.problems}};
}

}  // namespace ridgeline::serve
