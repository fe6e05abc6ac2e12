#include <algorithm>

#include "models/measured_run.h"
#include "os/files.h"
#include "report/printers/efficiency.h"
#include "runs/run_reports.h"

namespace ridgeline::runs {

Status WriteEfficiency(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir) {
  const auto is_done = [&manifest](std::string_view name) {
    return std::any_of(manifest.stages.begin(), manifest.stages.end(),
                       [name](const artifacts::StageRecord& stage) {
                         return stage.name == name &&
                                stage.state == artifacts::State::kDone;
                       });
  };
  if (!is_done("static_analysis") || !is_done("direct_inference")) return Ok();
  const auto measured = models::ReadMeasuredRun(run_dir.root());
  if (!measured.ok()) {
    // Unknown ceilings and disabled reports have already been noted.
    const ErrorCode code = measured.error().code();
    if (code != ErrorCode::kUnsupported && code != ErrorCode::kNotFound) {
      manifest.Find("direct_inference")
          ->AddNote("no MFU or MBU: " + measured.error().message());
    }
    return Ok();
  }
  RIDGELINE_RETURN_IF_ERROR(
      os::WriteText(run_dir.efficiency_json(), report::EfficiencyJson(measured.value())));
  return os::WriteText(run_dir.efficiency_markdown(),
                       report::EfficiencyMarkdown(measured.value()));
}

}  // namespace ridgeline::runs
