#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "os/files.h"
#include "report/summaries/profile_json.h"
#include "report/summaries/profile_text.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

constexpr std::string_view kRegions = "ncu/regions/";

// A range is one result; several if it was opened several times.
constexpr size_t kMostRows = 1000;

Status WriteReportsOfFile(const std::filesystem::path& report, const std::string& label,
                          RunProfiles& profiles, artifacts::StageRecord& stage) {
  const Result<analysis::AnalyzedProfile>& profile = profiles.Get(report);
  if (!profile.ok()) return profile.error();
  nlohmann::ordered_json json = {{"schema_version", 1}, {"region", label}};
  json.update(summaries::ToJson(profile.value(), kMostRows));
  const std::string markdown = "# Region " + label + "\n\n```\n" +
                               summaries::ToText(profile.value(), kMostRows) + "```\n";
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

Status WriteRegionReports(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir,
                          RunProfiles& profiles) {
  artifacts::StageRecord* const stage = manifest.Find("ncu");
  if (stage == nullptr || stage->state != artifacts::State::kDone) return Ok();
  const std::filesystem::path regions = run_dir.root() / kRegions;
  if (!os::IsDirectory(regions)) return Ok();
  RIDGELINE_TRY(const auto entries, os::ListDirectory(regions));
  for (const os::DirectoryEntry& entry : entries) {
    const std::filesystem::path report = regions / entry.name / "run.ncu-rep";
    if (!os::IsRegularFile(report)) continue;
    const Status written = WriteReportsOfFile(report, entry.name, profiles, *stage);
    if (!written.ok()) {
      stage->AddNote("no report of region " + entry.name + ": " +
                     written.error().message());
    }
  }
  return Ok();
}

}  // namespace ridgeline::runs
