// analysis.json: launches with the class rule and ceilings chosen by the user.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/ncu_findings.h"
#include "results/ncu_rows.h"

namespace ridgeline::app {

// One launch, in base units; null: not measured.
nlohmann::ordered_json NcuLaunchJson(const results::NcuRows& rows, size_t launch,
                                     const analysis::NcuFindings& findings);

// Totals over all launches: GPUs with their ceilings, and classes. The ceilings of a
// single GPU are also at the top level, where they are null if there are several.
nlohmann::ordered_json NcuTotalsJson(const analysis::NcuFindings& findings);

nlohmann::ordered_json DroppedJson(const results::DropCounts& dropped);

}  // namespace ridgeline::app
