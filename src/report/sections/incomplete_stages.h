#pragma once

#include <vector>

#include "report/document.h"

namespace ridgeline::report {

// Stages that did not complete. Not those that are on by default and only for Python
// programs, if the workload is none: they went as intended.
std::vector<const StageRow*> IncompleteStages(const Document& document);

}  // namespace ridgeline::report
