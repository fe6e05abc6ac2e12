#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/run/run_reports.h"
#include "base/json.h"
#include "os/files.h"
#include "profiles/formats.h"
#include "report/summaries/profile_json.h"
#include "report/summaries/profile_text.h"

namespace ridgeline::app {
namespace {

constexpr std::string_view kRegions = "ncu/regions/";

// A range is one result; several if it was opened several times.
constexpr size_t kMostRows = 1000;

Status WriteReportsOfFile(const std::filesystem::path& report, const std::string& label,
                          artifacts::StageRecord& stage) {
  RIDGELINE_TRY(profiles::Profile profile,
                profiles::OpenProfile(report, {}, {profiles::Tool::kNcu}));
  RIDGELINE_TRY(const analysis::AnalyzedProfile analyzed,
                analysis::Analyze(std::move(profile)));
  const auto& imported = std::get<analysis::AnalyzedNcu>(analyzed);
  nlohmann::ordered_json json = {{"schema_version", 1}, {"region", label}};
  json.update(summaries::ToJson(imported, kMostRows));
  const std::string markdown = "# Region " + label + "\n\n```\n" +
                               summaries::ToText(imported, kMostRows) + "```\n";
  const std::filesystem::path directory = report.parent_path();
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteFileAtomically(directory / "report.json", DumpJson(json, 2) + "\n"));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(directory / "report.md", markdown));
  for (const char* name : {"report.json", "report.md"}) {
    const std::string path = std::string(kRegions) + label + "/" + name;
    if (std::find(stage.artifacts.begin(), stage.artifacts.end(), path) ==
        stage.artifacts.end()) {
      stage.artifacts.push_back(path);
    }
  }
  return Ok();
}

}  // namespace

Status WriteRegionReports(artifacts::Manifest& manifest,
                          const artifacts::RunDir& run_dir) {
  artifacts::StageRecord* const stage = manifest.Find("ncu");
  if (stage == nullptr || stage->state != artifacts::State::kDone) return Ok();
  const std::filesystem::path regions = run_dir.root() / kRegions;
  if (!os::IsDirectory(regions)) return Ok();
  RIDGELINE_TRY(const auto entries, os::ListDirectory(regions));
  for (const os::DirectoryEntry& entry : entries) {
    const std::filesystem::path report = regions / entry.name / "run.ncu-rep";
    if (!os::IsRegularFile(report)) continue;
    const Status written = WriteReportsOfFile(report, entry.name, *stage);
    if (!written.ok()) {
      stage->AddNote("no report of region " + entry.name + ": " +
                     written.error().message());
    }
  }
  return Ok();
}

}  // namespace ridgeline::app
