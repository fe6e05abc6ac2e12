// Advice built from the numbers of a report, with pointers to them; docs/advice.md lists
// the rules.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::report {

// Nobody reads more; advice with the smallest savings is dropped.
inline constexpr size_t kMostAdvice = 10;

// The list `advice` of metrics.json, built from the rest of it: doubts about the run
// first, then by potential saving. Any part of the document may be missing, null or of
// another type.
nlohmann::ordered_json AdviceOf(const nlohmann::ordered_json& report);

// The section "Advice" of report.md, from `advice` of the report; empty if there is none.
std::string AdviceMarkdown(const nlohmann::ordered_json& report);

}  // namespace ridgeline::report
