#include "app/run/sweep_report.h"

#include <fmt/format.h>

#include <ostream>

#include "runs/sweep_reports.h"

namespace ridgeline::app {

void ReportSweep(const std::filesystem::path& directory, ReportTalk talk,
                 const Streams& streams) {
  if (!runs::IsSweep(directory)) return;
  const Result<report::SweepDocument> sweep = runs::WriteSweepReports(directory, {});
  if (!sweep.ok()) {
    streams.err << "ridgeline: warning: no report of the sweep: "
                << sweep.error().message() << '\n';
    return;
  }
  if (talk == ReportTalk::kErrorsOnly) return;
  for (const std::string& note : sweep.value().notes) {
    streams.err << "ridgeline: warning: " << note << '\n';
  }
  streams.err << report::BestLines(sweep.value())
              << fmt::format("  {:<22} {}\n", "report",
                             (directory / "sweep.html").string());
}

}  // namespace ridgeline::app
