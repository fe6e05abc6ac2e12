#include <algorithm>

#include "os/files.h"
#include "report/printers/printers.h"
#include "report/report.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {
namespace {

constexpr std::string_view kRegions = "ncu/regions/";

// A range is one result; several if it was opened several times.
constexpr size_t kMaxRows = 1000;

// The report of the run takes the original.
analysis::AnalyzedNcu CopyOf(const analysis::AnalyzedNcu& profile) {
  analysis::AnalyzedNcu copy = {.info = profile.info, .findings = profile.findings};
  copy.rows.form = profile.rows.form;
  copy.rows.number_style = profile.rows.number_style;
  analysis::Append(profile.rows, copy.rows);
  return copy;
}

Status WriteReportsOfFile(const std::filesystem::path& profile_path,
                          const std::string& label, RunProfiles& profiles,
                          artifacts::StageRecord& stage) {
  const Result<analysis::AnalyzedProfile>& profile = profiles.Get(profile_path);
  if (!profile.ok()) return profile.error();
  const auto* const ncu = std::get_if<analysis::AnalyzedNcu>(&profile.value());
  if (ncu == nullptr) return Error(ErrorCode::kParse, "not a profile of ncu");
  Collected collected;
  AddProfile(CopyOf(*ncu), {.name = std::string(kRegions) + label + "/run.ncu-rep"},
             collected);
  const report::Document document = report::MakeReport(ImportFacts(std::move(collected)));
  const std::string markdown = "# Region " + label + "\n\n```\n" +
                               report::ProfilesText(document, kMaxRows) + "```\n";
  const std::filesystem::path directory = profile_path.parent_path();
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteText(directory / "report.json", report::ToJson(document)));
  RIDGELINE_RETURN_IF_ERROR(os::WriteText(directory / "report.md", markdown));
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
