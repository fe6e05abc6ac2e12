#include "app/run/run_reports.h"

#include "app/run/region_reports.h"
#include "app/run/run_files.h"
#include "app/run/run_results.h"
#include "os/files.h"
#include "reports/run_report.h"

namespace ridgeline::app {

Result<std::string> WriteReports(artifacts::Manifest& manifest,
                                 const artifacts::RunDir& run_dir) {
  RIDGELINE_RETURN_IF_ERROR(WriteEfficiency(manifest, run_dir));
  RIDGELINE_RETURN_IF_ERROR(WriteRegionReports(manifest, run_dir));
  const results::ResultStore store = CollectResults(manifest, run_dir);
  RIDGELINE_RETURN_IF_ERROR(WriteResults(store, run_dir));
  const nlohmann::ordered_json report = reports::RunReportJson(manifest, store);
  using Handler = nlohmann::ordered_json::error_handler_t;
  const std::string json =
      report.dump(2, ' ', /*ensure_ascii=*/false, Handler::replace) + "\n";
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(run_dir.metrics_json(), json));
  RIDGELINE_RETURN_IF_ERROR(os::WriteFileAtomically(run_dir.report_markdown(),
                                                    reports::RunReportMarkdown(report)));
  const std::string kernels = reports::KernelsMarkdown(report);
  if (!kernels.empty()) {
    RIDGELINE_RETURN_IF_ERROR(
        os::WriteFileAtomically(run_dir.kernels_markdown(), kernels));
  }
  return reports::RunSummaryText(report);
}

}  // namespace ridgeline::app
