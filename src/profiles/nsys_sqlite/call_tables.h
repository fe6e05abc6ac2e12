// Calls on CPU threads: of the CUDA runtime and driver, of the operating system.
#pragma once

#include "base/result.h"
#include "profiles/nsys_sqlite/gpu_tables.h"

namespace ridgeline::profiles::nsys_sqlite {

// After ReadGpuTables: hands over the calls that may have started something, and sums
// all calls up.
Status ReadCallTables(const Target& target);

}  // namespace ridgeline::profiles::nsys_sqlite
