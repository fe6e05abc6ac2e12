#include "runs/run_reports.h"

#include <span>
#include <utility>

#include "base/version.h"
#include "os/files.h"
#include "report/printers/html.h"
#include "report/printers/printers.h"
#include "report/report.h"

namespace ridgeline::runs {
namespace {

using artifacts::RunDir;

Result<std::string> Write(const report::RunFacts& facts,
                          std::span<const report::SourceTimeline> timelines,
                          const RunDir& run_dir) {
  RIDGELINE_RETURN_IF_ERROR(WriteResults(facts.store, run_dir));
  const report::Document report = report::MakeReport(facts);
  const struct {
    std::filesystem::path path;
    std::string text;
  } files[] = {
      {run_dir.metrics_json(), report::ToJson(report)},
      {run_dir.report_markdown(), report::ToMarkdown(report)},
      {run_dir.kernels_markdown(), report::KernelsMarkdown(report)},
      {run_dir.stakeholder_summary(), report::SummaryMarkdown(report)},
      {run_dir.report_html(), report::ReportPage(report, timelines, facts.pictures)},
  };
  for (const auto& [path, text] : files) {
    if (!text.empty()) RIDGELINE_RETURN_IF_ERROR(os::WriteText(path, text));
  }
  return report::ToTerminal(report);
}

}  // namespace

Result<std::string> WriteReports(artifacts::Manifest& manifest, const RunDir& run_dir,
                                 RunProfiles& profiles,
                                 const std::function<Status()>& before_writing) {
  RIDGELINE_RETURN_IF_ERROR(WriteEfficiency(manifest, run_dir));
  RIDGELINE_RETURN_IF_ERROR(WriteRegionReports(manifest, run_dir, profiles));
  Collected collected = CollectResults(manifest, run_dir, profiles);
  if (before_writing) RIDGELINE_RETURN_IF_ERROR(before_writing());
  const std::vector<report::SourceTimeline> timelines = std::move(collected.timelines);
  return Write(ReadFacts(manifest, run_dir, std::move(collected)), timelines, run_dir);
}

report::RunFacts ImportFacts(Collected collected) {
  report::RunFacts facts;
  facts.ridgeline_version = Version();
  facts.store = std::move(collected.store);
  facts.profiles = std::move(collected.profiles);
  facts.ncu = std::move(collected.ncu);
  return facts;
}

Result<std::string> WriteImportReports(Collected collected, const RunDir& directory) {
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory.root()));
  const std::vector<report::SourceTimeline> timelines = std::move(collected.timelines);
  return Write(ImportFacts(std::move(collected)), timelines, directory);
}

}  // namespace ridgeline::runs
