#pragma once

#include "base/result.h"
#include "profiles/nsys_sqlite/gpu_tables.h"

namespace ridgeline::profiles::nsys_sqlite {

// NVTX ranges, and the names of their domains. Last of all tables: ranges that were
// never closed end with the last event of the capture.
Status ReadNvtxTable(const Target& target);

}  // namespace ridgeline::profiles::nsys_sqlite
