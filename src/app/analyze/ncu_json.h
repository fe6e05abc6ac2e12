// analysis.json: launches under the class rule and ceilings that the user chose.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/ncu_findings.h"
#include "results/ncu_rows.h"

namespace ridgeline::app {

// One launch, in base units; what was not measured is null.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows,
                                     const results::NcuLaunch& launch,
                                     const analysis::NcuLaunchFinding& finding);

// Of all launches: classes, ceilings, the ridge point.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

nlohmann::ordered_json DroppedJson(const results::DropCounts& dropped);

}  // namespace ridgeline::app
