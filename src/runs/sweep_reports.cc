#include "runs/sweep_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "artifacts/run_dir.h"
#include "artifacts/sweep_manifest.h"
#include "base/version.h"
#include "config/value/yaml_load.h"
#include "os/files.h"
#include "runs/config_json.h"
#include "runs/sweep_metrics.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using artifacts::RunDir;
using artifacts::SweepManifest;
using report::SweepFacts;
using report::SweepJobFacts;

constexpr size_t kMaxNotes = 20;

// run.sweep_metrics of the first job that has written its configuration.
std::vector<std::string> ConfiguredMetrics(const SweepManifest& sweep) {
  for (const artifacts::SweepJob& job : sweep.jobs) {
    const fs::path path = RunDir(job.directory).config();
    const Result<std::string> text = os::ReadFile(path);
    if (!text.ok()) continue;
    const auto loaded = config::LoadYaml(text.value(), path.string());
    if (!loaded.ok()) continue;
    const auto json = ToJson(loaded.value());
    const auto run = json.find("run");
    if (run == json.end() || !run->is_object()) return {};
    const auto list = run->find("sweep_metrics");
    std::vector<std::string> metrics;
    if (list == run->end() || !list->is_array()) return metrics;
    for (const auto& item : *list) {
      if (item.is_string()) metrics.push_back(item.get<std::string>());
    }
    return metrics;
  }
  return {};
}

// The metrics of a job so far; problems are not noted until it is done.
JobMetrics ReadJob(const artifacts::SweepJob& job, const std::vector<std::string>& chosen,
                   std::vector<std::string>& notes) {
  const RunDir run_dir(job.directory);
  const bool is_told = job.state == artifacts::State::kDone;
  Result<std::string> text = os::ReadFile(run_dir.metrics_json());
  if (!text.ok()) {
    if (is_told)
      notes.push_back(fmt::format("job {}: {}", job.number, text.error().message()));
    return {};
  }
  Result<JobMetrics> metrics = ReadJobMetrics(text.value(), chosen);
  if (metrics.ok()) return std::move(metrics).value();
  notes.push_back(fmt::format("job {}: {}: {}", job.number,
                              run_dir.metrics_json().string(),
                              metrics.error().message()));
  return {};
}

// Jobs of a moved or copied sweep are at its new location.
void Rebase(const fs::path& directory, SweepManifest& sweep) {
  const fs::path before = sweep.directory;
  if (before == directory) return;
  for (artifacts::SweepJob& job : sweep.jobs) {
    const fs::path relative = fs::path(job.directory).lexically_relative(before);
    if (relative.empty() || *relative.begin() == "..") continue;
    const fs::path moved = directory / relative;
    if (os::Exists(moved)) job.directory = moved.string();
  }
  sweep.directory = directory.string();
}

Status CheckMetrics(const std::vector<std::string>& chosen,
                    const std::vector<JobMetrics>& jobs) {
  std::set<std::string> known;
  for (const JobMetrics& job : jobs) {
    for (const auto& [id, measured] : job.measured) known.insert(id);
  }
  // Nothing has been measured (yet).
  if (known.empty()) return Ok();
  for (const std::string& id : chosen) {
    if (known.contains(id)) continue;
    return Error(
        ErrorCode::kConfig,
        fmt::format("no job has the metric '{}'\nhint: choose from {}, or a JSON "
                    "pointer into metrics.json such as /kernels_total/total_s",
                    id, fmt::join(known, ", ")));
  }
  return Ok();
}

Status WriteFiles(const report::SweepDocument& document, const fs::path& directory) {
  const std::pair<const char*, std::string> files[] = {
      {"sweep_report.json", ToJson(document)},
      {"sweep.md", ToMarkdown(document)},
      {"sweep.csv", ToCsv(document)},
      {"sweep.html", SweepPage(document)},
  };
  for (const auto& [name, text] : files) {
    RIDGELINE_RETURN_IF_ERROR(os::WriteText(directory / name, text));
  }
  return Ok();
}

}  // namespace

bool IsSweep(const fs::path& directory) {
  return os::Exists(artifacts::SweepDir(directory).manifest());
}

Result<report::SweepDocument> WriteSweepReports(const fs::path& directory,
                                                const std::vector<std::string>& metrics) {
  SweepFacts facts;
  facts.ridgeline_version = Version();
  RIDGELINE_TRY(facts.sweep, artifacts::ReadSweep(directory));
  RIDGELINE_TRY(const fs::path root, os::RealPath(directory));
  Rebase(root, facts.sweep);
  const std::vector<std::string> configured =
      metrics.empty() ? ConfiguredMetrics(facts.sweep) : metrics;
  std::vector<JobMetrics> measured;
  for (artifacts::SweepJob& job : facts.sweep.jobs) {
    measured.push_back(ReadJob(job, configured, facts.notes));
    facts.jobs.push_back({.job = std::move(job),
                          .parity = measured.back().parity,
                          .has_report = false,
                          .measured = measured.back().measured});
    SweepJobFacts& last = facts.jobs.back();
    last.has_report = os::Exists(RunDir(last.job.directory).report_html());
  }
  facts.sweep.jobs.clear();
  if (!metrics.empty()) RIDGELINE_RETURN_IF_ERROR(CheckMetrics(metrics, measured));
  for (const std::string& id :
       configured.empty() ? DefaultMetrics(measured) : configured) {
    facts.metrics.push_back(DescribeMetric(id));
  }
  if (facts.notes.size() > kMaxNotes) {
    const size_t more = facts.notes.size() - kMaxNotes;
    facts.notes.resize(kMaxNotes);
    facts.notes.push_back(fmt::format("and {} more", more));
  }
  const report::SweepDocument document = MakeSweepReport(facts);
  RIDGELINE_RETURN_IF_ERROR(WriteFiles(document, directory));
  return document;
}

}  // namespace ridgeline::runs
