// The report of a whole run: first as JSON, from which every page for people is made, so
// that no number is computed twice.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/run_facts.h"

namespace ridgeline::report {

inline constexpr int kRunReportVersion = 2;

// metrics.json of the run; docs/reports.md has its keys. What was not measured is null or
// an empty list. Seconds, bytes and shares of 1.
nlohmann::ordered_json RunReportJson(const RunFacts& facts);

// Its bytes: what is not UTF-8 is replaced.
std::string ToText(const nlohmann::ordered_json& report);

// report.md
std::string RunReportMarkdown(const nlohmann::ordered_json& report);

// kernels.md; empty if there are none.
std::string KernelsMarkdown(const nlohmann::ordered_json& report);

// A few lines for the terminal; empty if nothing was measured.
std::string RunSummaryText(const nlohmann::ordered_json& report);

}  // namespace ridgeline::report
