// Which operators took the time of CPU threads?
#pragma once

#include <vector>

#include "results/rows.h"
#include "results/trace_rows.h"

namespace ridgeline::analysis {

// One row per name, of source 0, the longest first; names of equal time in their order.
//
// Self time: every instant of a thread belongs to the operator that began last of those
// that run there. The self times of a thread therefore add up to the time in which it
// runs any operator, also where operators overlap without one holding the other. Calls
// of the CUDA runtime are no operators: their time is self time of their callers.
std::vector<results::OperatorTotal> OperatorTotals(const results::TraceRows& rows);

}  // namespace ridgeline::analysis
