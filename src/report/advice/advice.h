// What to do about what was measured. Each piece of advice is made of numbers of the
// report and says where they stand; docs/advice.md lists the rules.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::report {

// More is not read; what would gain least is left out.
inline constexpr size_t kMostAdvice = 10;

// The list `advice` of metrics.json, made from the rest of it: doubts about the run
// first, then what gains most. Reads documents with any part missing, null or of another
// type.
nlohmann::ordered_json AdviceOf(const nlohmann::ordered_json& report);

// The section "Advice" of report.md, from `advice` of the report; empty if there is none.
std::string AdviceMarkdown(const nlohmann::ordered_json& report);

}  // namespace ridgeline::report
