// static_compute.md: the report of static analysis for people.
#pragma once

#include <string>

#include "profiles/static_compute.h"

namespace ridgeline::report {

inline constexpr const char* kStaticReportMarkdown = "static_compute.md";

// Scaled units, "unknown: ..." for unknown ceilings.
std::string StaticReportMarkdown(const profiles::StaticReport& report);

// "3.3 B parameters, 4.3 TFLOP/page"
std::string StaticReportSummary(const profiles::StaticReport& report);

}  // namespace ridgeline::report
