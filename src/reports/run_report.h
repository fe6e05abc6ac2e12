// The report of a whole run: first as JSON, from which every page for people is made, so
// that no number is computed twice.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "artifacts/manifest.h"
#include "results/result_store.h"

namespace ridgeline::reports {

inline constexpr int kRunReportVersion = 1;

// metrics.json of the run: verdict, stages, phases, regions, kernels, operators, devices,
// and what importers left out. What was not measured is not there or null. Seconds, bytes
// and shares of 1.
nlohmann::ordered_json RunReportJson(const artifacts::Manifest& manifest,
                                     const results::ResultStore& store);

// report.md
std::string RunReportMarkdown(const nlohmann::ordered_json& report);

// kernels.md; empty if there are none.
std::string KernelsMarkdown(const nlohmann::ordered_json& report);

// A few lines for the terminal; empty if nothing was measured.
std::string RunSummaryText(const nlohmann::ordered_json& report);

}  // namespace ridgeline::reports
