// Advice built from the rows of a document, with the cells it is based on; docs/advice.md
// lists the rules.
#pragma once

#include <vector>

#include "report/document.h"

namespace ridgeline::report {

// Longer lists would not be read; advice with the smallest savings is dropped.
inline constexpr size_t kMaxAdvice = 10;

// From all of the document except `advice`: warnings about the data first, then by
// potential saving.
std::vector<Advice> AdviceOn(const Document& document);

}  // namespace ridgeline::report
