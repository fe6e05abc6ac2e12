#pragma once

#include <string>

#include "analysis/ncu_findings.h"

namespace ridgeline::report {

// One small histogram per quantity that was measured, as one SVG; empty if none was.
std::string NcuHistograms(const analysis::NcuFindings& findings);

}  // namespace ridgeline::report
