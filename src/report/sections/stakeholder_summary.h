#pragma once

#include <string>

#include "report/sections/phases.h"

namespace ridgeline::report {

// stakeholder_summary.md: what was measured, for people who decide. Every sentence rests
// on a number of this run.
std::string StakeholderSummary(const ProfileReport& report);

}  // namespace ridgeline::report
