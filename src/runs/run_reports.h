#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artifacts/manifest.h"
#include "artifacts/run_dir.h"
#include "base/result.h"
#include "report/run_facts.h"
#include "results/result_store.h"
#include "runs/collected.h"
#include "runs/run_profiles.h"

namespace ridgeline::runs {

// Writes everything derived from the artifacts of the stages: efficiency, regions,
// results.sqlite, metrics.json, report.html and the Markdown reports. Needs only these
// files, so reports can be rebuilt. Takes all profiles of the run. Returns the summary
// for the terminal. `before_writing` is called after everything has been read, before any
// report is replaced.
Result<std::string> WriteReports(artifacts::Manifest& manifest,
                                 const artifacts::RunDir& run_dir, RunProfiles& profiles,
                                 const std::function<Status()>& before_writing = {});

// Prefix of the note about an unreadable artifact.
inline constexpr std::string_view kNotInResults = "not in results.sqlite: ";

// Report data of imported profiles.
report::RunFacts ImportFacts(Collected collected);

// The same for imported profiles; `directory` is created if necessary.
Result<std::string> WriteImportReports(Collected collected,
                                       const artifacts::RunDir& directory);

// Reads the measurements of a run back from the artifacts of its stages. An unreadable
// artifact becomes a note of its stage.
Collected CollectResults(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir,
                         RunProfiles& profiles);

// Writes results.sqlite, unless nothing was measured.
Status WriteResults(const results::ResultStore& store, const artifacts::RunDir& run_dir);

// Report data of a run besides its profiles: configuration, machine, commands, static
// cost, pages. Missing files are omitted; unreadable ones are reported.
report::RunFacts ReadFacts(artifacts::Manifest& manifest,
                           const artifacts::RunDir& run_dir, Collected collected);

// Writes report.json and report.md next to each report of a range replayed by ncu
// (ncu/regions/<label>/run.ncu-rep). Unreadable ones become a note of the stage.
Status WriteRegionReports(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir,
                          RunProfiles& profiles);

// Writes efficiency.json and .md if the run has both a closed form and times. If it does
// but they cannot be written, the reason becomes a note of the manifest.
Status WriteEfficiency(artifacts::Manifest& manifest, const artifacts::RunDir& run_dir);

}  // namespace ridgeline::runs
