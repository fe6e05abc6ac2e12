// What stands beside the events of a trace.
#pragma once

#include <string_view>

#include "results/trace_rows.h"

namespace ridgeline::profiles::torch_trace {

// Whether the value of a top-level key says something that we want to know.
bool IsHeaderKey(std::string_view key);

// `json` is the value of such a key, checked already. What is not of the expected kind,
// such as a rank that is null, is as if it were not there.
void ReadHeaderValue(std::string_view key, std::string_view json,
                     results::TraceHeader& header);

}  // namespace ridgeline::profiles::torch_trace
