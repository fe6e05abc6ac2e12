// The environment of profiled processes, which nsys writes into its exports with all
// passwords and keys in it. It is counted, for a warning, and never copied.
#pragma once

#include <string_view>

#include "base/result.h"
#include "importers/nsys_sqlite/export_file.h"
#include "results/nsys_rows.h"

namespace ridgeline::importers::nsys_sqlite {

// A text of lines such as "HOME=/root".
bool IsEnvironmentBlock(std::string_view text);

// Fills what the header says of the environment. Values that somebody has blanked count
// as absent.
Status CountEnvironment(ExportFile& file, results::NsysHeader& header);

}  // namespace ridgeline::importers::nsys_sqlite
