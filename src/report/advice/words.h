// Advice and its evidence as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/advice/reading.h"

namespace ridgeline::report {

// A row of `advice` without its evidence, in Markdown:
// "**Text.** Try. Potential saving: up to 1.20 s."
std::string AdviceSentence(const Row& advice);

// Value of a piece of evidence: "12 %". Empty: the report has no such value.
std::string EvidenceValue(const nlohmann::ordered_json& report,
                          const std::string& pointer);

// The same with its name: "MBU of 'decode': 12 %".
std::string EvidenceInWords(const nlohmann::ordered_json& report,
                            const std::string& pointer);

}  // namespace ridgeline::report
