#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/import/collected.h"
#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"
#include "report/run_facts.h"
#include "results/result_store.h"

namespace ridgeline::app {

// Everything that is derived from what the stages of a run left: efficiency, regions,
// results.sqlite, metrics.json, report.html and the Markdown beside it. Made from these
// files alone, so that it can be made again. Returns the few lines for the terminal.
Result<std::string> WriteReports(artifacts::Manifest& manifest,
                                 const artifacts::RunDir& run_dir);

// The same of profiles that others made; `directory` is made if it is not there.
Result<std::string> WriteImportReports(Collected collected,
                                       const artifacts::RunDir& directory);

// What the stages of a run measured, read back from what they left. What could not be
// read becomes a note of its stage.
Collected CollectResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir);

// results.sqlite; none if nothing was measured.
Status WriteResults(const results::ResultStore& store, const artifacts::RunDir& run_dir);

// What a report says of a run beside its profiles: configuration, machine, commands, the
// FLOP ledger, pages. What is not there is left out; what cannot be read is told as such.
report::RunFacts ReadFacts(artifacts::Manifest& manifest,
                           const artifacts::RunDir& run_dir, Collected collected);

// report.json and report.md beside each report of a range that ncu has replayed
// (ncu/regions/<label>/run.ncu-rep). What cannot be read becomes a note of the stage.
Status WriteRegionReports(artifacts::Manifest& manifest,
                          const artifacts::RunDir& run_dir);

}  // namespace ridgeline::app
