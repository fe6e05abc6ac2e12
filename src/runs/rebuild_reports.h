// Rebuilds the reports of a finished run, even if its directory has been damaged.
#pragma once

#include <string>
#include <vector>

#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::runs {

struct RebuiltReports {
  std::string summary;                // For the terminal.
  std::vector<std::string> warnings;  // Missing and unreadable parts, one sentence each.
};

// Without a readable manifest, stages are recognized by their directories, if other files
// of a run are next to them. If measurements can no longer be read, the previous reports
// are kept in earlier_reports/: they may contain them. An error: not a run, or not
// finished.
Result<RebuiltReports> RebuildReports(const artifacts::RunDir& run_dir);

}  // namespace ridgeline::runs
