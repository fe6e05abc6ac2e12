#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "app/import/import_file.h"
#include "app/import/ncu_file.h"
#include "app/import/nsys_file.h"

namespace ridgeline::app {

// All that was found, in base units; of operators and kernels the first `top`.
// docs/import.md explains the names.
nlohmann::ordered_json ImportToJson(const ImportedTrace& trace, size_t top);

// Base units; `top` bounds the lists of kernels, ranges and regions. docs/nsys-import.md
// describes the fields.
nlohmann::ordered_json ExportToJson(const ImportedExport& imported, size_t top);
nlohmann::ordered_json SummaryToJson(const ImportedSummary& imported, size_t top);

// One launch, in base units; what was not measured is null.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows,
                                     const results::NcuLaunch& launch,
                                     const analysis::NcuLaunchFinding& finding);

// What holds for all launches: classes, roofs, the ridge.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

nlohmann::ordered_json NcuToJson(const ImportedNcu& imported, size_t top);

}  // namespace ridgeline::app
