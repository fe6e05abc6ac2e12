// Calls on CPU threads: of the CUDA runtime and driver, of the operating system.
#pragma once

#include "base/result.h"
#include "importers/nsys_sqlite/gpu_tables.h"

namespace ridgeline::importers::nsys_sqlite {

// After ReadGpuTables: gives each op the call that started it, and sums calls up. Of two
// calls with the same correlation the later row counts. Changes the order of gpu_ops.
Status ReadCallTables(const Target& target);

}  // namespace ridgeline::importers::nsys_sqlite
