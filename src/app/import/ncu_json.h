#pragma once

#include <nlohmann/json.hpp>

#include "app/import/ncu_file.h"

namespace ridgeline::app {

// One launch, in base units; what was not measured is null.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows,
                                     const results::NcuLaunch& launch,
                                     const analysis::NcuLaunchFinding& finding);

// What holds for all launches: classes, roofs, the ridge.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

nlohmann::ordered_json NcuToJson(const ImportedNcu& imported, size_t top);

}  // namespace ridgeline::app
