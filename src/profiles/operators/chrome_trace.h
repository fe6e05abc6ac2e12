#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

// Describes the recorded process.
struct TraceHeader {
  int64_t process_id = 0;
  std::string process_name;
  std::string recorder;  // Its name and version.
};

// trace.json.gz in the format of PyTorch's profiler: can be opened with Perfetto and
// chrome://tracing, and has the fields expected by readers of PyTorch's traces. Times are
// microseconds with three decimals, relative to `baseTimeNanoseconds`.
Result<std::string> ChromeTrace(const Recording& recording, const TraceHeader& header);

}  // namespace ridgeline::profiles
