// Findings of ncu files in the words of the reference answers.
#pragma once

#include "analysis/analyze.h"
#include "tests/reference/stats.h"

namespace ridgeline::ncu_cases {

using reference::Json;

Json FileAsReference(const analysis::AnalyzedNcu& file);

Json LaunchAsReference(const results::NcuRows& rows, const results::NcuLaunch& launch,
                       const analysis::NcuLaunchFinding& finding);

// Numbers of the answers that are texts there: speedups.
Json Comparable(Json answers);

}  // namespace ridgeline::ncu_cases
