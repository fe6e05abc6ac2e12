// Advice built from the rows of a document, with the cells that it rests on;
// docs/advice.md lists the rules.
#pragma once

#include <vector>

#include "report/document.h"

namespace ridgeline::report {

// More is not read; advice with the smallest savings is dropped.
inline constexpr size_t kMaxAdvice = 10;

// From everything but `advice` of the document: warnings about the data first, then by
// potential saving.
std::vector<Advice> AdviceOn(const Document& document);

}  // namespace ridgeline::report
