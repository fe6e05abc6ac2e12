// analysis.json: launches under the class rule and ceilings that the user chose.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/ncu_findings.h"
#include "results/ncu_rows.h"

namespace ridgeline::app {

// One launch, in base units; what was not measured is null.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows, size_t launch,
                                     const analysis::NcuFindings& findings);

// Of all launches: GPUs with their ceilings, classes. Those of a single GPU are also at
// the top, which is null for several.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

nlohmann::ordered_json DroppedJson(const results::DropCounts& dropped);

}  // namespace ridgeline::app
