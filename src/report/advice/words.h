// What advice says and rests on, as people read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/advice/reading.h"

namespace ridgeline::report {

// A row of `advice` without its evidence, in Markdown:
// "**text.** Try: ... At most 1.2 s would be gained."
std::string AdviceSentence(const Row& advice);

// The value that a piece of advice rests on: "12.20 %". Empty: the report has nothing
// there.
std::string EvidenceValue(const nlohmann::ordered_json& report,
                          const std::string& pointer);

// The same as a sentence's part: "mbu of 'decode': 12.20 %".
std::string EvidenceInWords(const nlohmann::ordered_json& report,
                            const std::string& pointer);

}  // namespace ridgeline::report
