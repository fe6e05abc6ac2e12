#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::report {

// stakeholder_summary.md of a whole run, from its metrics.json with `advice`: one page
// for people who decide. Every sentence rests on a number of the run; what was not
// measured is told as such. Reads reports with any part missing.
std::string RunStakeholderMarkdown(const nlohmann::ordered_json& report);

}  // namespace ridgeline::report
