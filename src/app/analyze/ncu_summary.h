// Output of `ridgeline analyze`.
#pragma once

#include <string>
#include <vector>

#include "analysis/ncu_findings.h"
#include "app/analyze/analyze_options.h"
#include "results/ncu_rows.h"
#include "runs/ncu_directory.h"

namespace ridgeline::app {

std::string NcuSummaryText(const runs::NcuDirectory& directory,
                           const analysis::NcuFindings& findings,
                           const AnalyzeOptions& options);

// Tables of ncu measurements as CSV (RFC 4180), in base units.

struct NcuTableInput {
  const results::NcuRows& rows;
  const analysis::NcuFindings& findings;
  const std::vector<std::string>& groups;  // By launch.
};

// A row per launch: identity, class, quantities.
std::string NcuKernelsCsv(const NcuTableInput& input);

// A row per launch and measured precision and memory level.
std::string NcuRooflineCsv(const NcuTableInput& input);

// A row per metric of every launch.
std::string NcuMetricsCsv(const NcuTableInput& input);

}  // namespace ridgeline::app
