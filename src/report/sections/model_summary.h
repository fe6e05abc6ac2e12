#pragma once

#include <string>

#include "profiles/model_summary.h"

namespace ridgeline::report {

inline constexpr const char* kModelSummaryMarkdown = "model_summary.md";

// model_summary.md: parameters, bytes and FLOPs of the model of a Python program.
std::string ModelSummaryMarkdown(const profiles::ModelSummary& summary);

}  // namespace ridgeline::report
