// What `ridgeline analyze` prints.
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

// Tables of what ncu measured, as CSV (RFC 4180) in base units.

struct NcuTableInput {
  const results::NcuRows& rows;
  const analysis::NcuFindings& findings;
  const std::vector<std::string>& groups;  // Of each launch.
};

// A row per launch: what it is, its class, its quantities.
std::string NcuKernelsCsv(const NcuTableInput& input);

// A row per launch, precision and memory level that was measured.
std::string NcuRooflineCsv(const NcuTableInput& input);

// A row per metric of every launch.
std::string NcuMetricsCsv(const NcuTableInput& input);

}  // namespace ridgeline::app
