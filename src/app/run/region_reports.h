#pragma once

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::app {

// report.json and report.md beside each report of a range that ncu has replayed
// (ncu/regions/<label>/run.ncu-rep). What cannot be read becomes a note of the stage.
Status WriteRegionReports(artifacts::Manifest& manifest,
                          const artifacts::RunDir& run_dir);

}  // namespace ridgeline::app
