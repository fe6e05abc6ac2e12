#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/import/collected.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"

namespace ridgeline::app {

// Everything that is derived from what the stages of a run left: efficiency, regions,
// results.sqlite, metrics.json, report.html and the Markdown beside it. Made from these
// files alone, so that it can be made again. Returns the few lines for the terminal.
Result<std::string> WriteReports(artifacts::Manifest& manifest,
                                 const artifacts::RunDir& run_dir);

// The same of profiles that others made; `directory` is made if it is not there.
Result<std::string> WriteImportReports(Collected collected,
                                       const artifacts::RunDir& directory);

}  // namespace ridgeline::app
