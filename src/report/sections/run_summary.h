#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::report {

// stakeholder_summary.md of a whole run, from its metrics.json with `advice`: one page
// for decision makers. Every sentence cites a number of the run; missing measurements are
// listed. Any part of the report may be missing.
std::string RunStakeholderMarkdown(const nlohmann::ordered_json& report);

}  // namespace ridgeline::report
