#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

// Of the process that was recorded.
struct TraceHeader {
  int64_t process_id = 0;
  std::string process_name;
  std::string recorder;  // Its name and version.
};

// trace.json.gz in the format that PyTorch's profiler writes: Perfetto and
// chrome://tracing open it, and what reads PyTorch's traces finds the fields that it
// knows. Times are microseconds with three decimals from `baseTimeNanoseconds` on.
Result<std::string> ChromeTrace(const Recording& recording, const TraceHeader& header);

}  // namespace ridgeline::profiles
