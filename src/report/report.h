// The report of a run, or of imported profiles.
#pragma once

#include "report/document.h"
#include "report/run_facts.h"

namespace ridgeline::report {

// Fills all sections for which there is input. Advice comes last, based on all the
// others.
Document MakeReport(const RunFacts& facts);

}  // namespace ridgeline::report
