#include "serving/run_summary.h"

#include <algorithm>

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "os/files.h"
#include "serving/find_runs.h"
#include "serving/run_files.h"
#include "serving/run_headlines.h"

namespace ridgeline::serving {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

// metrics.json has some 100 kB. A list that reads more than this of each run is none.
constexpr int64_t kMetricsBytesMax = 64 << 20;

OrderedJson TextOrNull(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson StagesOf(const artifacts::Manifest& manifest) {
  OrderedJson stages = OrderedJson::array();
  for (const artifacts::StageRecord& stage : manifest.stages) {
    stages.push_back({{"name", stage.name},
                      {"state", ToText(stage.state)},
                      {"outcome", TextOrNull(stage.outcome)},
                      {"why", TextOrNull(stage.why)}});
  }
  return stages;
}

// Keys of a run whose manifest cannot be read are the same, without their values.
void AddManifest(const artifacts::Manifest* manifest, OrderedJson& run) {
  const artifacts::Manifest none;
  const artifacts::Manifest& from = manifest != nullptr ? *manifest : none;
  run["state"] = manifest != nullptr ? OrderedJson(ToText(from.state)) : nullptr;
  run["why"] = TextOrNull(from.why);
  run["valid"] = from.valid ? OrderedJson(*from.valid) : nullptr;
  run["workload"] = TextOrNull(from.workload);
  run["host"] = TextOrNull(from.host);
  run["started"] = TextOrNull(from.started);
  run["ended"] = TextOrNull(from.ended);
  run["arguments"] = from.arguments;
  run["stages"] = StagesOf(from);
}

// The file of the run, if it is one that we would serve.
Result<std::string> ReadOwnFile(const fs::path& run, const fs::path& file) {
  const std::string name = file.filename();
  const auto found = FindFile(run, std::span(&name, 1));
  if (!found) return Error(ErrorCode::kNotFound, name + ": is no file of the run");
  RIDGELINE_TRY(const int64_t size, os::FileSize(*found));
  if (size > kMetricsBytesMax) {
    return Error(ErrorCode::kIo, name + ": has more than 64 MiB");
  }
  return os::ReadFile(*found);
}

nlohmann::json ReadMetrics(const artifacts::RunDir& run_dir, OrderedJson& problems) {
  if (!os::Exists(run_dir.metrics_json())) return nullptr;  // Not ended yet.
  const Result<std::string> text = ReadOwnFile(run_dir.root(), run_dir.metrics_json());
  if (!text.ok()) {
    problems.push_back(text.error().message());
    return nullptr;
  }
  nlohmann::json metrics = nlohmann::json::parse(text.value(), nullptr, false);
  if (metrics.is_discarded()) {
    problems.push_back("metrics.json: is no JSON; `ridgeline report` makes it again");
    return nullptr;
  }
  return metrics;
}

OrderedJson ReportOf(const fs::path& run) {
  for (const std::string name : {"report.html", "report.md"}) {
    if (FindFile(run, std::span(&name, 1))) return name;
  }
  return nullptr;
}

}  // namespace

OrderedJson SummaryOfRun(const fs::path& root, const std::string& path) {
  const artifacts::RunDir run_dir(path == "." ? root : root / path);
  OrderedJson problems = OrderedJson::array();
  OrderedJson run = {{"id", run_dir.id()}, {"path", path}};
  const Result<std::string> text = ReadOwnFile(run_dir.root(), run_dir.manifest());
  const Result<artifacts::Manifest> manifest =
      text.ok() ? artifacts::ParseManifest(text.value(), "manifest.json")
                : Result<artifacts::Manifest>(text.error());
  if (!manifest.ok()) problems.push_back(manifest.error().message());
  AddManifest(manifest.ok() ? &manifest.value() : nullptr, run);
  run.update(HeadlinesOf(ReadMetrics(run_dir, problems)));
  run["report"] = ReportOf(run_dir.root());
  run["has_report"] = !run["report"].is_null();
  run["problems"] = std::move(problems);
  return run;
}

OrderedJson SummaryOfRuns(const fs::path& root) {
  const FoundRuns found = FindRuns(root);
  std::vector<OrderedJson> runs;
  for (const std::string& path : found.paths) runs.push_back(SummaryOfRun(root, path));
  // Times are ISO 8601, mostly of one machine; null, of what has none, comes last.
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return b["started"] < a["started"];
  });
  return {{"schema_version", kSchemaVersion},
          {"directory", root.string()},
          {"runs", std::move(runs)},
          {"problems", found.problems}};
}

}  // namespace ridgeline::serving
