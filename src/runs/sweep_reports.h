// The reports of a sweep, from the files of its jobs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/sweep/sweep_report.h"

namespace ridgeline::runs {

// Whether it is a sweep directory: it contains a sweep.json.
bool IsSweep(const std::filesystem::path& directory);

// Writes sweep.html, sweep.md, sweep.csv and sweep_report.json into a sweep directory,
// whatever the state of its jobs. `metrics` are names or JSON pointers into metrics.json;
// empty: `run.sweep_metrics` of the sweep, or else the usual ones. It is an error if no
// job has one of `metrics`.
Result<report::SweepDocument> WriteSweepReports(const std::filesystem::path& directory,
                                                const std::vector<std::string>& metrics);

}  // namespace ridgeline::runs
