#pragma once

#include <string>

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::app {

// Everything that is derived from what the stages of a run left: efficiency, regions,
// results.sqlite, metrics.json, report.md, kernels.md. Made from these files alone, so
// that it can be made again. Returns the few lines for the terminal.
Result<std::string> WriteReports(artifacts::Manifest& manifest,
                                 const artifacts::RunDir& run_dir);

}  // namespace ridgeline::app
