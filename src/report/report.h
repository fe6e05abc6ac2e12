// The report of a run, or of profiles made elsewhere.
#pragma once

#include "report/document.h"
#include "report/run_facts.h"

namespace ridgeline::report {

// Every input gets the sections it can fill. Advice is made last, from all the rest.
Document MakeReport(const RunFacts& facts);

}  // namespace ridgeline::report
