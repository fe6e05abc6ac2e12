// Advice and its evidence as text.
#pragma once

#include <string>

#include "report/document.h"

namespace ridgeline::report {

// Advice without its evidence, in Markdown:
// "**Verdict.** Action. Potential saving: up to 1.20 s."
std::string AdviceSentence(const Document& document, const Advice& advice);

// The text as a sentence: with a full stop, unless it ends with one.
std::string WithStop(std::string text);

// JSON pointer in metrics.json: "/regions/3/gpu_s".
std::string PointerTo(const Cell& cell);

// "12 %"; "unknown" for a missing value.
std::string EvidenceValue(const Cell& cell);

// "roofline time of 'decode': 1.20 s"
std::string EvidenceInWords(const Cell& cell);

}  // namespace ridgeline::report
