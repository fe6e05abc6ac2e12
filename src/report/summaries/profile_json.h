// A profile as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "analysis/analyze.h"

namespace ridgeline::summaries {

// All that was found, in base units; `top` bounds the lists. docs/import.md,
// docs/nsys-import.md and docs/ncu.md explain the names.
nlohmann::ordered_json ToJson(const analysis::AnalyzedTrace& trace, size_t top);
nlohmann::ordered_json ToJson(const analysis::AnalyzedExport& imported, size_t top);
nlohmann::ordered_json ToJson(const analysis::AnalyzedSummary& imported, size_t top);
nlohmann::ordered_json ToJson(const analysis::AnalyzedNcu& imported, size_t top);

// Whatever it is.
nlohmann::ordered_json ToJson(const analysis::AnalyzedProfile& profile, size_t top);

// One launch, in base units; what was not measured is null.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows,
                                     const results::NcuLaunch& launch,
                                     const analysis::NcuLaunchFinding& finding);

// What holds for all launches: classes, roofs, the ridge.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

}  // namespace ridgeline::summaries
