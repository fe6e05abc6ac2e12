#pragma once

#include "base/result.h"
#include "profiles/nsys_sqlite/export_file.h"
#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// What an export says of itself: its version, the GPUs, the environment.
Result<results::NsysHeader> ReadHeader(ExportFile& file);

}  // namespace ridgeline::profiles::nsys_sqlite
